/*
 * crash: handles signals that a kernel raises by crashing, and the timer that
 * finds empty loops. They end the thread that was running. See scheduler.h.
 */
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

#include "emu/emu.h"
#include "emu/fibre.h"
#include "emu/resolve.h"
#include "emu/scheduler.h"

uintptr_t crash_pc(const void *context)
{
	const ucontext_t *c = context;

#if defined(__x86_64__)
	return (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return (uintptr_t)c->uc_mcontext.pc;
#else
	(void)c;
	return 0;
#endif
}

static uintptr_t context_sp(const ucontext_t *c)
{
#if defined(__x86_64__)
	return (uintptr_t)c->uc_mcontext.gregs[REG_RSP] & ~(uintptr_t)7;
#else
	(void)c;
	return UINTPTR_MAX;
#endif
}

static bool context_writes(const ucontext_t *c)
{
#if defined(__x86_64__)
	return c->uc_mcontext.gregs[REG_ERR] & 2;
#else
	(void)c;
	return false;
#endif
}

/* Sets or clears the processor's single-step flag, for a trap after each
 * instruction. */
static void context_step(ucontext_t *c, bool steps)
{
#if defined(__x86_64__)
	const greg_t trap = 0x100;
	greg_t *flags = &c->uc_mcontext.gregs[REG_EFL];

	*flags = steps ? *flags | trap : *flags & ~trap;
#else
	(void)c;
	(void)steps;
#endif
}

/* Returns whether the host's code continues after a fault, at memory that it
 * shares with the device. */
static bool host_goes_on(int signal_number, uintptr_t address, ucontext_t *c)
{
	enum emu_fault found = !emu_program.host_fault ? EMU_FAULT_OTHER :
		emu_program.host_fault(signal_number, crash_pc(c),
				       context_sp(c), address,
				       context_writes(c));

	if (found == EMU_FAULT_STEP)
		context_step(c, true);
	return found != EMU_FAULT_OTHER;
}

static void step_handler(int signal_number, siginfo_t *info, void *context)
{
	(void)info;
	context_step(context, false);
	if (!emu_program.host_stepped || !emu_program.host_stepped())
		signal(signal_number, SIG_DFL);
}

/* Ends the running thread if its kernel faulted. A fault of the recorder's own
 * ends the recorder. */
static void crash_handler(int signal_number, siginfo_t *info, void *context)
{
	uintptr_t pc = crash_pc(context);
	uintptr_t address = (uintptr_t)info->si_addr;

	if (!rec.thread && host_goes_on(signal_number, address, context))
		return;
	if (!rec.thread ||
	    (pc - rec.text >= rec.text_bytes &&
	     !fibre_overflow(fibre_of(rec.thread), address))) {
		signal(signal_number, SIG_DFL);
		return;
	}
	run.crashed = signal_number;
	run.crash_pc = pc;
	run.crash_address = address;
	fibre_leave();
}

/* Returns whether the code at pc is a jump to itself, or back over no-ops only,
 * as g++ of Ubuntu emits. */
static bool jumps_to_itself(uintptr_t pc)
{
#if defined(__x86_64__)
	enum { NOP = 0x90, JUMP = 0xeb, FAR = 0xe9 };
	const unsigned char *p = (const void *)pc, *to;
	int32_t by = 0;

	while (*p == NOP)
		p++;
	if (*p == FAR)
		memcpy(&by, p + 1, sizeof(by));
	to = *p == JUMP ? p + 2 + (signed char)p[1] : p + 5 + by;
	if ((*p != JUMP && *p != FAR) || to > p)
		return false;
	while (to < p && *to == NOP)
		to++;
	return to == p;
#elif defined(__aarch64__)
	return *(const uint32_t *)pc == 0x14000000;
#else
	(void)pc;
	return false;
#endif
}

/*
 * Ends a thread in a loop without body and condition, for which the compiler
 * inserts no hook: since the timer's last signal the kernel has executed no
 * basic block and made no access. Code without hooks always looks like that and
 * is ended only when the launch's time is over.
 */
static void idle_handler(int signal_number, siginfo_t *info, void *context)
{
	uint64_t steps = run.steps_left + rec.ticks;
	bool idle = steps == run.seen_steps &&
		    rec.events_left == run.seen_events;
	uintptr_t pc = crash_pc(context);

	(void)info;
	run.seen_steps = steps;
	run.seen_events = rec.events_left;
	if ((!rec.fast && !idle) || !rec.thread ||
	    pc - rec.text >= rec.text_bytes ||
	    (seconds_now() < run.deadline && !jumps_to_itself(pc)))
		return;
	run.crashed = signal_number;
	run.crash_pc = pc;
	fibre_leave();
}

void idle_watch(int seconds)
{
	const struct timeval every = { .tv_sec = seconds };
	const struct itimerval timer = { every, every };

	setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

void block_signals(void)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL,
				      SIGABRT };
	static char stack[65536];
	struct sigaction a = { .sa_sigaction = crash_handler,
			       .sa_flags = SA_SIGINFO | SA_ONSTACK |
					   SA_NODEFER };
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };

	sigaltstack(&alternate, NULL);
	sigemptyset(&a.sa_mask);
	for (size_t i = 0; i < LENGTH(crashes); i++)
		sigaction(crashes[i], &a, NULL);
	a.sa_sigaction = step_handler;
	sigaction(SIGTRAP, &a, NULL);
	a.sa_sigaction = idle_handler;
	a.sa_flags |= SA_RESTART;
	sigaction(SIGVTALRM, &a, NULL);
}

static void add_crash_finding(struct thread *t)
{
	uint32_t line = resolve_line(run.crash_pc + 1);
	struct trace_finding f = { .cause = CAUSE_ILLEGAL_INSTRUCTION };

	if (fibre_overflow(fibre_of(t), run.crash_address))
		f.cause = CAUSE_STACK_OVERFLOW;
	else if (run.crashed == SIGFPE)
		f.cause = CAUSE_DIVISION_BY_ZERO;
	else if (run.crashed == SIGSEGV || run.crashed == SIGBUS)
		f.cause = CAUSE_INVALID_MEMORY;
	if (!line && t->at)
		line = t->at->line;
	f.access = (struct finding_access) {
		.block = rec.block_number, .thread = t->number, .line = line,
	};
	finding_add(&rec.findings, &f, NULL);
}

void thread_lost(struct thread *t)
{
	if (run.crashed == SIGVTALRM) {
		thread_at(t, (void *)(run.crash_pc + 1));
		run_stop(jumps_to_itself(run.crash_pc) ? STOP_IDLE :
							 STOP_SECONDS);
	} else {
		add_crash_finding(t);
	}
	run.crashed = 0;
	t->store_bytes = 0;
	t->state = THREAD_STOPPED;
	rec.tainted = true;
}
