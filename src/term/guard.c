/* guard: saves the terminal's own state and restores it when the program
 * dies. */
#include "term/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/base.h"

#define PATIENCE_MS 200		/* with a terminal that takes no output */

/* All of it is written before `entered` is, and then only read. */
static struct {
	int fd;
	pid_t owner;		/* a forked child must not restore */
	struct termios modes;
	bool has_modes;
	char out[512];
	size_t n;
	struct sigaction before[NSIG];	/* what a signal did before */
} guard;
static volatile sig_atomic_t entered;
static char stack[64 * 1024];

/* Everything from here to guard_restore() is async-signal-safe. */

/* Writes n bytes, but gives up rather than hang: a stopped terminal must not
 * keep the program alive. */
static void write_patiently(int fd, const char *data, size_t n)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	int flags = fcntl(fd, F_GETFL);

	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	while (n > 0) {
		ssize_t done = write(fd, data, n);

		if (done > 0) {
			data += done;
			n -= (size_t)done;
		} else if (done < 0 && errno == EINTR) {
			continue;
		} else if (done == 0 || errno != EAGAIN ||
			   poll(&p, 1, PATIENCE_MS) <= 0) {
			break;
		}
	}
	if (flags != -1)
		fcntl(fd, F_SETFL, flags);
}

/* Tells whether another job has the terminal: its modes must not be changed. */
static bool in_background(int fd)
{
	pid_t group = tcgetpgrp(fd);

	return group > 0 && group != getpgrp();
}

void guard_restore(void)
{
	int saved = errno;

	if (!entered || guard.owner != getpid())
		return;
	entered = 0;
	write_patiently(guard.fd, guard.out, guard.n);
	if (guard.has_modes && !in_background(guard.fd))
		tcsetattr(guard.fd, TCSANOW, &guard.modes);
	errno = saved;
}

/*
 * Restores the terminal, then lets the signal take its former effect. The
 * signal comes again when this returns: by itself if an instruction caused it,
 * otherwise because it is raised here (all signals are blocked in the handler).
 */
static void on_death(int sig)
{
	guard_restore();
	sigaction(sig, &guard.before[sig], NULL);
	raise(sig);
}

/* Tells whether a signal's default action leaves the process alive. */
static bool is_harmless(int sig)
{
	switch (sig) {
	case SIGCHLD: case SIGCONT: case SIGTSTP: case SIGTTIN:
	case SIGTTOU: case SIGURG: case SIGWINCH: case SIGSTOP:
	case SIGKILL:
		return true;
	default:
		return false;
	}
}

/* Installs the handlers, once. An ignored signal stays ignored: nohup relies on
 * it. */
static void install_handlers(void)
{
	static bool installed;
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction deadly = { .sa_handler = on_death,
				    .sa_flags = SA_ONSTACK };

	if (installed)
		return;
	installed = true;
	atexit(guard_restore);
	fatal_restore = guard_restore;
	sigaltstack(&alternate, NULL);
	sigfillset(&deadly.sa_mask);
	for (int sig = 1; sig < NSIG; sig++) {
		struct sigaction *before = &guard.before[sig];

		if (!is_harmless(sig) && sigaction(sig, NULL, before) == 0 &&
		    before->sa_handler != SIG_IGN)
			sigaction(sig, &deadly, NULL);
	}
}

void guard_enter(int fd, const char *out, size_t n)
{
	entered = 0;
	guard.fd = fd;
	guard.owner = getpid();
	guard.has_modes = tcgetattr(fd, &guard.modes) == 0;
	guard.n = MIN(n, sizeof(guard.out));
	memcpy(guard.out, out, guard.n);
	install_handlers();
	entered = 1;
}

void guard_leave(void)
{
	entered = 0;
}
