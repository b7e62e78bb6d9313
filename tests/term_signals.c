/*
 * The terminal is restored, and the status tells the signal, however the
 * program is killed: every deadly signal in three states, idle, drawing all
 * the time, and back from being suspended.
 *
 *	term_signals [--play=KEYS] [--except=NAME[,NAME...]] [COMMAND ...]
 *
 * KEYS set COMMAND drawing. COMMAND is the demo if none is named.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pty.h"
#include "tap.h"

static const struct { const char *name; int sig; } deadly[] = {
	{ "HUP", SIGHUP }, { "INT", SIGINT }, { "QUIT", SIGQUIT },
	{ "ILL", SIGILL }, { "TRAP", SIGTRAP }, { "ABRT", SIGABRT },
	{ "BUS", SIGBUS }, { "FPE", SIGFPE }, { "USR1", SIGUSR1 },
	{ "SEGV", SIGSEGV }, { "USR2", SIGUSR2 }, { "PIPE", SIGPIPE },
	{ "ALRM", SIGALRM }, { "TERM", SIGTERM }, { "STKFLT", SIGSTKFLT },
	{ "XCPU", SIGXCPU }, { "XFSZ", SIGXFSZ }, { "VTALRM", SIGVTALRM },
	{ "PROF", SIGPROF }, { "IO", SIGIO }, { "PWR", SIGPWR },
	{ "SYS", SIGSYS }, { "RTMIN", 34 }, { "RTMAX", 64 },
};

static const char *play = "d";
static const char *except = "";

enum state { IDLE, DRAWING, RESUMED, STATES };
static const char *const state_names[] = { "idle", "drawing", "resumed" };

/* On the screen, with a picture: the start of every test. */
static const char *enter(struct pty *p)
{
	if (!pty_wait_for(p, 0, "\033[?1049h") ||
	    !pty_wait_for(p, 0, "\033[?1006h"))
		return "the screen was not entered";
	if (pty_modes_same(p) || pty_mode(p, 25) || !pty_mode(p, 1002))
		return "the terminal is as it was: nothing to restore";
	return NULL;
}

static const char *suspend_and_resume(struct pty *p)
{
	struct pty_report r;
	const char *what;
	size_t mark;

	pty_send(p, "\032");
	if (!pty_wait(p, &r) || !WIFSTOPPED(r.status))
		return "Ctrl-Z does not stop it";
	what = pty_not_restored(p);
	if (what)
		return what;
	mark = p->out.len;
	pty_continue(p, true);
	if (!pty_wait_for(p, mark, "\033[?1049h") ||
	    !pty_wait_for(p, mark, "\033[?1006h"))
		return "it does not come back";
	return pty_modes_same(p) ? "its modes do not come back" : NULL;
}

static const char *reach(struct pty *p, enum state state)
{
	const char *what = enter(p);
	size_t before;

	if (what || state == IDLE)
		return what;
	if (state == RESUMED)
		return suspend_and_resume(p);
	/* What it has to load is there when the screen is quiet. */
	do {
		before = p->out.len;
		pty_read(p, 150);
	} while (p->out.len > before);
	pty_send(p, play);
	pty_read(p, 30);
	before = p->out.len;
	for (int ms = 0; ms < PTY_MS && p->out.len == before; ms += 50)
		pty_read(p, 50);
	return p->out.len > before ? NULL : "it does not draw";
}

/* What is wrong, or NULL. */
static const char *try(const char *const argv[], int sig, enum state state)
{
	struct pty_report r;
	const char *what;
	size_t mark;
	struct pty p;

	pty_start(&p, argv, NULL, 80, 24);
	what = reach(&p, state);
	if (!what) {
		mark = p.out.len;
		kill(p.job, sig);
		if (!pty_wait(&p, &r))
			what = "it lives on";
		else if (!WIFSIGNALED(r.status) || WTERMSIG(r.status) != sig)
			what = "its status does not tell the signal";
		else if (!pty_saw(&p, mark, "\033[m"))
			what = "colours are not reset, should some be set";
		else
			what = pty_not_restored(&p);
	}
	pty_done(&p);
	return what;
}

static bool excepted(const char *name)
{
	const char *found = strstr(except, name);

	return found && (found == except || found[-1] == ',') &&
	       strchr(",", found[strlen(name)]);
}

int main(int argc, char **argv)
{
	static const char *demo[] = { ABS_BUILDDIR "/tests/term_demo", NULL };
	const char *const *command = demo;

	for (argv++, argc--; argc > 0 && **argv == '-'; argv++, argc--) {
		if (!strncmp(*argv, "--play=", 7))
			play = *argv + 7;
		else if (!strncmp(*argv, "--except=", 9))
			except = *argv + 9;
	}
	if (argc > 0)
		command = (const char *const *)(uintptr_t)argv;
	for (size_t i = 0; i < LENGTH(deadly); i++) {
		for (enum state s = 0; s < STATES; s++) {
			const char *what;

			if (excepted(deadly[i].name))
				continue;
			what = try(command, deadly[i].sig, s);
			tap_ok(!what, "SIG%s while %s%s%s", deadly[i].name,
			       state_names[s], what ? ": " : "",
			       what ? what : "");
		}
	}
	return tap_done();
}
