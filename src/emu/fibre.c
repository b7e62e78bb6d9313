/*
 * fibre: implements coroutines. See fibre.h.
 *
 * On x86-64 a few instructions switch stacks and save what the ABI has a
 * function save. Elsewhere ucontext starts a fibre, and then _setjmp and
 * _longjmp switch, because swapcontext makes a system call each time. The C
 * library's checked longjmp knows one stack only and must stay out. The address
 * sanitizer must be told of stacks; under it swapcontext switches.
 */
#undef _FORTIFY_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/resource.h"
#include "emu/fibre.h"
#include "base/stack_switch.h"

/* Not with CET, where the processor keeps return addresses on a second
 * stack. */
#if defined(__x86_64__) && !defined(STACK_ASAN) && !defined(__CET__)
#define FIBRE_SWITCH 1
#endif

#if defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif
#endif
#ifndef VALGRIND_STACK_REGISTER
#define VALGRIND_STACK_REGISTER(low, high) 0
#define VALGRIND_STACK_DEREGISTER(id) ((void)(id))
#endif

struct fibre {
	uintptr_t stack;
	unsigned valgrind_id;
	bool started, ended;
	bool idle;		/* waits in fibre_main() for more to do */
	ucontext_t start;
	jmp_buf here;
	void **saved;		/* the stack's end, when another runs */
	uintptr_t low;		/* nothing below is in use then */
	void *fake_stack;	/* the address sanitizer's */
	void (*function)(void *);
	void *argument;
};

static struct {
	struct fibre *fibre;
	size_t count;
	char *stacks;
	size_t stride, guard;
	struct fibre *current;
	jmp_buf scheduler;
	void **scheduler_saved;
	ucontext_t scheduler_context;
	const void *scheduler_stack;
	size_t scheduler_size;
} f;

static void fibres_done(void)
{
	for (size_t i = 0; i < f.count; i++)
		VALGRIND_STACK_DEREGISTER(f.fibre[i].valgrind_id);
	if (f.stacks)
		munmap(f.stacks, f.count * f.stride);
	free(f.fibre);
	f.fibre = NULL;
	f.stacks = NULL;
	f.count = 0;
}

int fibres_init(size_t count, struct error *e)
{
	if (count <= f.count)
		return 0;
	fibres_done();
	f.guard = (size_t)sysconf(_SC_PAGESIZE);
	f.stride = FIBRE_STACK + f.guard;
	f.stacks = mmap(NULL, count * f.stride, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (f.stacks == MAP_FAILED) {
		f.stacks = NULL;
		return error_resource(e, ENOMEM, EXIT_BUG, "the stacks of %zu "
				      "threads", count);
	}
	f.fibre = xcalloc(count, sizeof(*f.fibre));
	f.count = count;
	for (size_t i = 0; i < count; i++) {
		char *low = f.stacks + i * f.stride;

		mprotect(low, f.guard, PROT_NONE);
		f.fibre[i].stack = (uintptr_t)low + f.guard;
		f.fibre[i].valgrind_id = VALGRIND_STACK_REGISTER(
			low + f.guard, low + f.stride);
	}
	return 0;
}

void fibre_reset(size_t i, void (*function)(void *), void *argument)
{
	f.fibre[i].started = f.fibre[i].idle;
	f.fibre[i].ended = f.fibre[i].idle = false;
	f.fibre[i].function = function;
	f.fibre[i].argument = argument;
	if (!f.fibre[i].started)
		stack_clean((const void *)f.fibre[i].stack, FIBRE_STACK);
}

/* Runs one function after another on a fibre's stack: a fibre whose function
 * has returned is reused as it is. */
static void fibre_main(void)
{
	stack_arrive(NULL, &f.scheduler_stack, &f.scheduler_size);
	for (;;) {
		f.current->function(f.current->argument);
		f.current->ended = f.current->idle = true;
		fibre_yield();
	}
}

#ifdef FIBRE_SWITCH

/* Pushes the callee-saved registers, stores the stack pointer in *from, and
 * continues where `to` was stored. */
void gemmviz_fibre_switch(void ***from, void **to);
__asm__(".text\n"
	".p2align 4\n"
	".local gemmviz_fibre_switch\n"
	".type gemmviz_fibre_switch, @function\n"
	"gemmviz_fibre_switch:\n"
	"\tpushq %rbp\n"
	"\tpushq %rbx\n"
	"\tpushq %r12\n"
	"\tpushq %r13\n"
	"\tpushq %r14\n"
	"\tpushq %r15\n"
	"\tmovq %rsp, (%rdi)\n"
	"\tmovq %rsi, %rsp\n"
	"\tpopq %r15\n"
	"\tpopq %r14\n"
	"\tpopq %r13\n"
	"\tpopq %r12\n"
	"\tpopq %rbx\n"
	"\tpopq %rbp\n"
	"\tret\n"
	".size gemmviz_fibre_switch, . - gemmviz_fibre_switch\n");
#define SAVED_REGISTERS 6

/* Prepares a new stack as if it had been switched away from right before a call
 * of fibre_main(). */
static void fibre_make(struct fibre *me)
{
	void **top = (void **)(me->stack + FIBRE_STACK);

	me->started = true;
	*--top = NULL;
	*--top = (void *)(uintptr_t)fibre_main;
	for (int i = 0; i < SAVED_REGISTERS; i++)
		*--top = NULL;
	me->saved = top;
}

#else

static void fibre_make(struct fibre *me)
{
	me->started = true;
	getcontext(&me->start);
	me->start.uc_stack.ss_sp = (void *)me->stack;
	me->start.uc_stack.ss_size = FIBRE_STACK;
	me->start.uc_link = NULL;
	makecontext(&me->start, fibre_main, 0);
}

#endif

#ifndef FIBRE_SWITCH
/* Bytes that switching itself puts on a stack. */
#define SWITCH_BYTES 4096

static inline uintptr_t low_here(void)
{
	return (uintptr_t)__builtin_frame_address(0) - SWITCH_BYTES;
}

static uintptr_t low_of(const struct fibre *me)
{
	return MAX(me->low, me->stack);
}
#endif

#if defined(FIBRE_SWITCH)

bool fibre_run(size_t i)
{
	f.current = &f.fibre[i];
	if (!f.current->started)
		fibre_make(f.current);
	gemmviz_fibre_switch(&f.scheduler_saved, f.current->saved);
	return !f.current->ended;
}

void fibre_yield(void)
{
	gemmviz_fibre_switch(&f.current->saved, f.scheduler_saved);
}

static uintptr_t low_of(const struct fibre *me)
{
	return (uintptr_t)me->saved;
}

void fibre_leave(void)
{
	gemmviz_fibre_switch(&f.current->saved, f.scheduler_saved);
	abort();
}

#elif defined(STACK_ASAN)

bool fibre_run(size_t i)
{
	void *fake;

	f.current = &f.fibre[i];
	if (!f.current->started)
		fibre_make(f.current);
	stack_leave(&fake, (const void *)f.current->stack, FIBRE_STACK);
	swapcontext(&f.scheduler_context, &f.current->start);
	stack_arrive(fake, NULL, NULL);
	return !f.current->ended;
}

void fibre_yield(void)
{
	f.current->low = low_here();
	stack_leave(&f.current->fake_stack, f.scheduler_stack,
		    f.scheduler_size);
	swapcontext(&f.current->start, &f.scheduler_context);
	stack_arrive(f.current->fake_stack, &f.scheduler_stack,
		     &f.scheduler_size);
}

void fibre_leave(void)
{
	stack_leave(NULL, f.scheduler_stack, f.scheduler_size);
	setcontext(&f.scheduler_context);
	abort();
}

#else

bool fibre_run(size_t i)
{
	f.current = &f.fibre[i];
	if (_setjmp(f.scheduler) == 0) {
		if (!f.current->started) {
			fibre_make(f.current);
			setcontext(&f.current->start);
		}
		_longjmp(f.current->here, 1);
	}
	return !f.current->ended;
}

void fibre_yield(void)
{
	f.current->low = low_here();
	if (_setjmp(f.current->here) == 0)
		_longjmp(f.scheduler, 1);
}

void fibre_leave(void)
{
	_longjmp(f.scheduler, 1);
}

#endif

/* ---- saved fibres ---- */

struct fibre_kept {
	struct fibre fibre;
	size_t bytes;
	char stack[];
};

/* Copies a stack. Not all of it is any variable's memory, so sanitizers must
 * not check it. */
static __attribute__((no_sanitize("address", "undefined"))) void
bytes_copy(void *to, const void *from, size_t bytes)
{
	uint64_t *t = to;
	const uint64_t *s = from;

	for (size_t i = 0; i < bytes / sizeof(*t); i++)
		t[i] = s[i];
}

struct fibre_kept *fibre_keep(size_t i)
{
	struct fibre *me = &f.fibre[i];
	uintptr_t end = me->stack + FIBRE_STACK, low = end;
	struct fibre_kept *k;

	if (me->started && !me->ended)
		low = low_of(me) / sizeof(uint64_t) * sizeof(uint64_t);
	k = xmalloc(sizeof(*k) + (end - low));
	k->fibre = *me;
	k->bytes = end - low;
	bytes_copy(k->stack, (const void *)low, k->bytes);
	/* The next user of this stack starts anew. */
	me->idle = false;
	return k;
}

void fibre_put_back(size_t i, struct fibre_kept *k)
{
	struct fibre *me = &f.fibre[i];

	stack_clean((const void *)me->stack, FIBRE_STACK);
	*me = k->fibre;
	me->idle = false;
	bytes_copy((void *)(me->stack + FIBRE_STACK - k->bytes), k->stack,
		   k->bytes);
	free(k);
}

uintptr_t fibre_stack(size_t i)
{
	return f.fibre[i].stack;
}

bool fibre_overflow(size_t i, uintptr_t address)
{
	return f.fibre[i].stack - address <= f.guard;
}

bool fibre_offset(uintptr_t address, uintptr_t *offset)
{
	uintptr_t at = address - (uintptr_t)f.stacks;

	if (at >= f.count * f.stride || at % f.stride < f.guard)
		return false;
	*offset = at % f.stride - f.guard;
	return true;
}
