/*
 * hang_check: see hang_check.h. States are compared by Brent's method: with one
 * stored state, which is replaced after 1, 2, 4, 8 ... blocks.
 */
#include "emu/hang_check.h"

#include <stdlib.h>
#include <string.h>

#include "emu/fibre.h"
#include "emu/recording.h"
#include "emu/scheduler.h"

/* Basic blocks until a loop counts as slow. */
#define LOOK_BLOCKS 2000000
/* Reads between two states that are compared. */
#define READS_MOST 65536

#if defined(__x86_64__)
#define CAN_LOOK true
#else
#define CAN_LOOK false
#endif

/* Registers that a callee preserves, with pc and sp, at a call. */
struct saved_registers {
	uint64_t pc, sp, rbx, rbp, r12, r13, r14, r15;
};

static struct {
	struct saved_registers at;
	uint64_t *stack;		/* from at.sp to the stack's end */
	size_t capacity;
	struct { const void *at; uint32_t bytes; uint64_t was[2]; }
		reads[READS_MOST];
	size_t read_count;
	bool kept;			/* a state is */
	uint64_t blocks, next, left;
	/* The limit that was reached, and where; STOP_NONE: none. */
	enum launch_stop why;
	const struct access_site *where;
	bool shown;
} look;

/* ---- states ---- */

/* For functions that read the running thread's stack, not all of which is any
 * variable's memory. */
#define STACK_WORK __attribute__((no_sanitize("address", "undefined")))

static STACK_WORK bool is_same_stack(const uint64_t *stack, size_t bytes)
{
	const uint64_t *was = look.stack;

	for (size_t i = 0; i < bytes / sizeof(*stack); i++)
		if (stack[i] != was[i])
			return false;
	return true;
}

static STACK_WORK void stack_keep(const uint64_t *stack, size_t bytes)
{
	for (size_t i = 0; i < bytes / sizeof(*stack); i++)
		look.stack[i] = stack[i];
}

static bool have_same_reads(void)
{
	for (size_t i = 0; i < look.read_count; i++)
		if (memcmp(look.reads[i].at, look.reads[i].was,
			   look.reads[i].bytes))
			return false;
	return true;
}

static bool is_same_state(const struct saved_registers *now, size_t bytes)
{
	return look.kept && !memcmp(&look.at, now, sizeof(*now)) &&
	       is_same_stack((const void *)now->sp, bytes) && have_same_reads();
}

static void state_keep(const struct saved_registers *now, size_t bytes)
{
	look.at = *now;
	grow(&look.stack, &look.capacity, bytes / sizeof(*look.stack),
	     sizeof(*look.stack));
	stack_keep((const void *)now->sp, bytes);
	look.read_count = 0;
	look.kept = true;
}

void hang_read(const struct thread *t, const void *at, size_t bytes)
{
	const unsigned char *from = at;

	/* The stack is compared as a whole. */
	if ((uintptr_t)at - t->stack < FIBRE_STACK || !look.kept)
		return;
	if (look.read_count + bytes / 16 + 1 > READS_MOST) {
		look.kept = false;
		return;
	}
	for (size_t n; bytes > 0; bytes -= n, from += n) {
		n = MIN(bytes, sizeof(look.reads->was));
		look.reads[look.read_count].at = from;
		look.reads[look.read_count].bytes = (uint32_t)n;
		memcpy(look.reads[look.read_count++].was, from, n);
	}
}

/* ---- examining a loop ---- */

static void begin_look(struct thread *t, enum launch_stop why)
{
	look.kept = look.shown = false;
	look.blocks = 0;
	look.next = 1;
	look.left = LOOK_BLOCKS;
	look.why = why;
	look.where = t->at;
	rec.proving = true;
	rec.unsure = false;
	thread_limit(t);
}

void hang_end(struct thread *t)
{
	rec.proving = false;
	thread_limit(t);
	if (look.why == STOP_NONE || rec.stop)
		return;
	t->at = look.where;
	run_stop(look.why);
}

static bool never_over(struct thread *t, void *on)
{
	(void)t;
	(void)on;
	return false;
}

static void never(const struct thread *t, const void *on)
{
	(void)on;
	if (!rec.spoiled)
		emu_finding_spin(t, t->spin.slot, t->spin.at);
}

static struct wait shown = { .over = never_over, .never = never };

static void end_as_endless(void)
{
	rec.proving = false;
	look.shown = true;
	if (look.why != STOP_NONE) {
		run_stop(STOP_ENDLESS);
		thread_stop();
	}
	thread_limit(rec.thread);
	thread_settle(rec.thread);
	thread_wait(&shown);
}

void hang_look(const struct saved_registers *now);
void hang_look(const struct saved_registers *now)
{
	size_t bytes = rec.thread->stack + FIBRE_STACK - now->sp;

	if (now->pc - rec.text >= rec.text_bytes || look.left-- == 0) {
		hang_end(rec.thread);
		if (rec.stop)
			thread_stop();
		return;
	}
	if (rec.unsure)
		look.kept = rec.unsure = false;
	if (is_same_state(now, bytes)) {
		end_as_endless();
		return;
	}
	if (++look.blocks == look.next) {
		state_keep(now, bytes);
		look.next *= 2;
	}
}

bool hang_limit(enum launch_stop why)
{
	if (!CAN_LOOK || !rec.thread || rec.fast || rec.proving ||
	    rec.watched || rec.peek)
		return false;
	rec.thread->record = false;
	begin_look(rec.thread, why);
	/* The run's own end is past. */
	budget_due(seconds_now() + run.launch->plan.job.seconds);
	return true;
}

bool hang_limited(void)
{
	return rec.proving && look.why != STOP_NONE;
}

bool hang_try(struct thread *t, void (*run_one)(struct thread *t))
{
	if (CAN_LOOK && !rec.fast)
		begin_look(t, STOP_NONE);
	t->state = THREAD_READY;
	run_one(t);
	return hang_shown(t);
}

bool hang_shown(const struct thread *t)
{
	return t->state == THREAD_AT_WAIT && t->wait == &shown;
}

bool hang_over(const struct thread *t)
{
	return hang_shown(t) && t->spin.slot &&
	       spin_value(&t->spin) != t->spin.value;
}

/* ---- registers ---- */

#if defined(__x86_64__)
/* A hook calls this last: the callee-saved registers are the kernel's, and so
 * is the return address. */
__asm__(".text\n"
	".globl hang_block\n"
	".hidden hang_block\n"
	".type hang_block, @function\n"
	"hang_block:\n"
	"	subq	$72, %rsp\n"
	"	movq	72(%rsp), %rax\n"
	"	movq	%rax, 0(%rsp)\n"
	"	leaq	80(%rsp), %rax\n"
	"	movq	%rax, 8(%rsp)\n"
	"	movq	%rbx, 16(%rsp)\n"
	"	movq	%rbp, 24(%rsp)\n"
	"	movq	%r12, 32(%rsp)\n"
	"	movq	%r13, 40(%rsp)\n"
	"	movq	%r14, 48(%rsp)\n"
	"	movq	%r15, 56(%rsp)\n"
	"	movq	%rsp, %rdi\n"
	"	call	hang_look\n"
	"	addq	$72, %rsp\n"
	"	ret\n"
	".size hang_block, . - hang_block\n");
#else
void hang_block(void)
{
}
#endif
