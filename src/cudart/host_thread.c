/*
 * host_thread: see host_thread.h.
 */
#include "cudart/host_thread.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "cudart/pending_launch.h"
#include "cudart/program.h"
#include "base/stack_switch.h"

/* As Linux has it; memory that is not used costs nothing. */
#define STACK_BYTES (8u << 20)
/* Microseconds of processor time that a turn may take when it spins. */
#define TURN 20000
/* Nanoseconds between two checks whether the time that a thread waits for has
 * come. */
#define LOOK_NS 500000

/* C++'s state of a thread's exceptions (Itanium C++ ABI). */
struct exceptions { void *caught; unsigned uncaught; };

struct host_state {
	ucontext_t context;
	char *stack;		/* NULL: main()'s */
	/* The address sanitizer's: the stack, and what it keeps of it. */
	const void *low;
	size_t bytes;
	void *fake;
	void *variables;	/* thread-local */
	bool borrowed;		/* they are another's */
	struct exceptions exceptions;
	int error;		/* errno */
	bool (*over)(const void *on);	/* NULL: it can go on */
	const void *on;
	double until;		/* 0: for ever */
	/* Called when it ends, the last one first. */
	struct ending { void (*f)(void *); void *with; } *endings;
	size_t ending_count, ending_capacity;
};

static struct host_state main_state;
static struct host_thread main_thread = { .state = &main_state };
struct host_thread *host_now = &main_thread;

static struct {
	struct host_thread **list;	/* main()'s first, then by age */
	size_t count, capacity;
	char **free;			/* stacks */
	size_t free_count, free_capacity;
	struct host_state *from;	/* ran before */
	struct exceptions *(*exceptions)(void);
} host;

/* ---- stacks ---- */

static char *stack_take(void)
{
	size_t guard = (size_t)sysconf(_SC_PAGESIZE);
	char *low;

	if (host.free_count)
		return host.free[--host.free_count];
	low = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1,
		   0);
	if (low == MAP_FAILED)
		return NULL;
	mprotect(low, guard, PROT_NONE);
	return low;
}

static void stack_give(char *stack)
{
	grow(&host.free, &host.free_capacity, host.free_count + 1,
	     sizeof(*host.free));
	host.free[host.free_count++] = stack;
}

uintptr_t host_stack_end(uintptr_t at, uintptr_t other)
{
	for (size_t i = 1; i < host.count; i++) {
		uintptr_t low = (uintptr_t)host.list[i]->state->stack;

		if (low && at - low < STACK_BYTES)
			return low + STACK_BYTES;
	}
	return other;
}

/* ---- turns ---- */

/* Completes the switch to a thread: each begins its turn with this. */
static void begin_turn(void)
{
	struct host_state *s = host_now->state;

	stack_arrive(s->fake, &host.from->low, &host.from->bytes);
	errno = s->error;
}

static void switch_to(struct host_thread *t)
{
	struct host_state *from = host_now->state, *to = t->state;
	struct exceptions *now = host.exceptions ? host.exceptions() : NULL;

	if (from == to)
		return;
	from->error = errno;
	if (now) {
		from->exceptions = *now;
		*now = to->exceptions;
	}
	host.from = from;
	stack_leave(host_now->ended ? NULL : &from->fake, to->low, to->bytes);
	host_now = t;
	emu_host_tls_use(to->variables);
	swapcontext(&from->context, &to->context);
	begin_turn();
}

bool host_has_ended(const void *thread)
{
	return ((const struct host_thread *)thread)->ended;
}

bool host_thread_is_main(void)
{
	return host_now == &main_thread;
}

bool host_all_ended(const void *nothing)
{
	(void)nothing;
	for (size_t i = 1; i < host.count; i++)
		if (!host.list[i]->ended)
			return false;
	return true;
}

static bool can_run(const struct host_thread *t)
{
	struct host_state *s = t->state;

	if (t->ended)
		return false;
	if (s->over && !s->over(s->on) &&
	    (s->until <= 0 || seconds_now() < s->until))
		return false;
	return true;
}

/* Finds the next thread that can run, the running one last; NULL: all wait. */
static struct host_thread *find_next_thread(void)
{
	size_t own = 0;

	while (host.list[own] != host_now)
		own++;
	for (size_t i = 1; i <= host.count; i++) {
		struct host_thread *t = host.list[(own + i) % host.count];

		if (can_run(t))
			return t;
	}
	return NULL;
}

/* Returns whether a thread waits for a time, which comes by itself. */
static bool any_timed(void)
{
	for (size_t i = 0; i < host.count; i++)
		if (!host.list[i]->ended && host.list[i]->state->until > 0)
			return true;
	return false;
}

/* Switches to the next thread that can run; waits if one waits for a time, and
 * ends the program if none ever can run. */
static void give_turn(void)
{
	struct host_thread *next = find_next_thread();

	while (!next && any_timed()) {
		nanosleep(&(struct timespec){ 0, LOOK_NS }, NULL);
		next = find_next_thread();
	}
	if (!next && pending_force())
		next = find_next_thread();
	if (!next)
		program_deadlock((uintptr_t)__builtin_frame_address(0));
	switch_to(next);
}

bool host_wait_until(bool (*over)(const void *on), const void *on,
		     double until)
{
	struct host_state *s = host_now->state;

	if (over(on))
		return true;
	s->over = over;
	s->on = on;
	s->until = until;
	give_turn();
	s->over = NULL;
	s->until = 0;
	return over(on);
}

void host_wait(bool (*over)(const void *on), const void *on)
{
	while (!host_wait_until(over, on, 0))
		;
}

void host_yield(void)
{
	if (host.count > 1)
		give_turn();
}

bool host_is_between(const void *context)
{
	const struct module *m = program.host;
	uintptr_t pc = crash_pc(context);

	return !emu_in_kernel() && !program.launching && !program.config.pending &&
	       !program.busy && m && pc - m->text < m->text_bytes;
}

/* Yields on a timer's signal: a thread may wait for another in a loop around an
 * atomic, which calls nothing. */
static void turn_over(int signal_number, siginfo_t *info, void *context)
{
	(void)signal_number;
	(void)info;
	if (host_is_between(context))
		host_yield();
}

/* Starts the timer that ends turns. */
static void start_turn_timer(void)
{
	struct sigaction a = { .sa_sigaction = turn_over,
			       .sa_flags = SA_SIGINFO | SA_NODEFER |
					   SA_RESTART };
	const struct timeval every = { 0, TURN };
	const struct itimerval timer = { every, every };

	sigaction(SIGPROF, &a, NULL);
	setitimer(ITIMER_PROF, &timer, NULL);
}

/* ---- a thread's life ---- */

static void thread_main(void)
{
	begin_turn();
	host_thread_end(host_now->start(host_now->with));
}

static void context_make(struct host_state *s, void (*begins)(void))
{
	getcontext(&s->context);
	s->context.uc_stack.ss_sp = s->stack;
	s->context.uc_stack.ss_size = STACK_BYTES;
	s->context.uc_link = NULL;
	makecontext(&s->context, begins, 0);
}

/* Creates a thread that is not yet in the list of those that get turns; NULL:
 * out of memory. */
static struct host_thread *thread_make(void (*begins)(void))
{
	char *stack = stack_take();
	struct host_thread *t;
	struct host_state *s;

	if (!stack)
		return NULL;
	t = xcalloc(1, sizeof(*t));
	s = t->state = xcalloc(1, sizeof(*s));
	s->stack = stack;
	s->low = stack;
	s->bytes = STACK_BYTES;
	stack_clean(stack, STACK_BYTES);
	context_make(s, begins);
	return t;
}

/* Adds a thread to those that get turns. */
static void add_to_turns(struct host_thread *t)
{
	if (host.count == 1)
		start_turn_timer();
	grow(&host.list, &host.capacity, host.count + 1, sizeof(*host.list));
	host.list[host.count++] = t;
}

struct host_thread *host_thread_new(void *(*start)(void *), void *with)
{
	struct host_thread *t = thread_make(thread_main);

	if (!t)
		return NULL;
	t->start = start;
	t->with = with;
	t->state->variables = program_thread_variables();
	add_to_turns(t);
	return t;
}

void host_thread_run(struct host_thread *t)
{
	switch_to(t);
}

static void free_thread_memory(struct host_thread *t)
{
	struct host_state *s = t->state;

	if (s->stack)
		stack_give(s->stack);
	free(s->endings);
	free(t->specific);
	if (!s->borrowed)
		free(s->variables);
	free(s);
	free(t);
}

void host_thread_free(struct host_thread *t)
{
	size_t i = 0;

	while (host.list[i] != t)
		i++;
	memmove(&host.list[i], &host.list[i + 1],
		(--host.count - i) * sizeof(*host.list));
	free_thread_memory(t);
}

/* Frees detached threads that have ended, but the running one: its stack is in
 * use until another's turn. */
static void free_detached(void)
{
	for (size_t i = 1; i < host.count; i++)
		if (host.list[i]->ended && host.list[i]->detached &&
		    host.list[i] != host_now)
			host_thread_free(host.list[i--]);
}

void host_thread_ending(void)
{
	struct host_state *s = host_now->state;

	while (s->ending_count > 0) {
		size_t i = --s->ending_count;

		s->endings[i].f(s->endings[i].with);
	}
	if (host_now->keys_ending)
		host_now->keys_ending();
}

void host_thread_end(void *result)
{
	host_thread_ending();
	host_now->result = result;
	host_now->ended = true;
	free_detached();
	give_turn();
	abort();
}

/* ---- code on a stack of its own ---- */

struct apart {
	void (*f)(void *with);
	void *with;
};

static void apart_main(void)
{
	const struct apart *a = host_now->with;

	begin_turn();
	a->f(a->with);
	host_now->ended = true;
	if (host_now->caller)
		switch_to(host_now->caller);
	give_turn();
	abort();
}

void host_apart(void (*f)(void *with), void *with)
{
	struct apart a = { f, with };
	struct host_thread *t;

	free_detached();
	t = thread_make(apart_main);
	if (!t)
		fatal("no memory for a stack");
	t->with = &a;
	t->caller = host_now;
	t->detached = true;
	t->state->variables = host_now->state->variables;
	t->state->borrowed = true;
	t->state->error = errno;
	switch_to(t);
	if (t->ended)
		free_thread_memory(t);
}

void host_aside(bool (*over)(const void *on), const void *on)
{
	struct host_thread *caller = host_now->caller;

	if (!caller) {
		host_wait(over, on);
		return;
	}
	host_now->caller = NULL;
	host_now->state->over = over;
	host_now->state->on = on;
	add_to_turns(host_now);
	switch_to(caller);
	host_now->state->over = NULL;
	host_wait(over, on);
}

/* Registers the destructor of a thread-local object. */
int __wrap___cxa_thread_atexit(void (*f)(void *), void *with, void *module);
int __wrap___cxa_thread_atexit(void (*f)(void *), void *with, void *module)
{
	struct host_state *s = host_now->state;

	(void)module;
	grow(&s->endings, &s->ending_capacity, s->ending_count + 1,
	     sizeof(*s->endings));
	s->endings[s->ending_count++] = (struct ending){ f, with };
	return 0;
}

void host_threads_begin(void)
{
	grow(&host.list, &host.capacity, 1, sizeof(*host.list));
	host.list[0] = &main_thread;
	host.count = 1;
	main_state.variables = emu_host_tls();
	*(void **)&host.exceptions = dlsym(RTLD_DEFAULT, "__cxa_get_globals");
}

void host_threads_end(void)
{
	setitimer(ITIMER_PROF, &(struct itimerval){ .it_value = { 0, 0 } },
		  NULL);
	host_now = &main_thread;
	emu_host_tls_use(main_state.variables);
	host.count = 1;
}
