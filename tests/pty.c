/* pty: see pty.h. */
#include "pty.h"

#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- the shell between ---- */

static _Noreturn void run_job(const char *const argv[],
			      const char *const env[])
{
	setpgid(0, 0);
	/* The shell ignores the signal that this would bring. */
	tcsetpgrp(STDIN_FILENO, getpid());
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	unsetenv("NO_COLOR");
	unsetenv("COLORFGBG");
	unsetenv("LINES");
	unsetenv("COLUMNS");
	for (; env && *env; env++) {
		if (strchr(*env, '='))
			putenv(xstrdup(*env));
		else
			unsetenv(*env);
	}
	execvp(argv[0], (char *const *)(uintptr_t)argv);
	perror(argv[0]);
	_exit(127);
}

static _Noreturn void run_shell(const char *const argv[],
				const char *const env[], int reports,
				int commands)
{
	struct pty_report r = { 0 };
	char command;
	pid_t job;

	signal(SIGTTOU, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	/* Not before the test has seen the terminal as it is now. */
	if (read(commands, &command, 1) != 1)
		_exit(1);
	job = fork();
	if (job == 0)
		run_job(argv, env);
	setpgid(job, job);
	write_all(reports, &job, sizeof(job));
	while (wait4(job, &r.status, WUNTRACED, &r.used) == job) {
		tcsetpgrp(STDIN_FILENO, getpid());
		write_all(reports, &r, sizeof(r));
		if (!WIFSTOPPED(r.status) || read(commands, &command, 1) != 1)
			break;
		if (command == 'f')
			tcsetpgrp(STDIN_FILENO, job);
		kill(-job, SIGCONT);
	}
	/* The terminal stays until the test has read it. */
	while (read(commands, &command, 1) > 0)
		;
	_exit(0);
}

void pty_start(struct pty *p, const char *const argv[],
	       const char *const env[], int w, int h)
{
	struct winsize size = { .ws_col = w, .ws_row = h };
	int up[2], down[2];

	*p = (struct pty){ 0 };
	if (pipe(up) != 0 || pipe(down) != 0)
		fatal("pipe: %s", strerror(errno));
	fflush(NULL);
	p->shell = forkpty(&p->master, NULL, NULL, &size);
	if (p->shell < 0)
		fatal("forkpty: %s", strerror(errno));
	if (p->shell == 0) {
		close(up[0]);
		close(down[1]);
		/* The job inherits neither. */
		for (int fd = 3; fd < 64; fd++)
			if (fd != up[1] && fd != down[0])
				close(fd);
		ioctl(up[1], FIOCLEX);
		ioctl(down[0], FIOCLEX);
		run_shell(argv, env, up[1], down[0]);
	}
	close(up[1]);
	close(down[0]);
	p->reports = up[0];
	p->commands = down[1];
	tcgetattr(p->master, &p->before);
	write_all(p->commands, "s", 1);
	if (read(p->reports, &p->job, sizeof(p->job)) != sizeof(p->job))
		fatal("no job was started");
}

void pty_done(struct pty *p)
{
	kill(-p->job, SIGKILL);
	close(p->commands);
	close(p->reports);
	if (p->master >= 0)
		close(p->master);
	kill(p->shell, SIGKILL);
	waitpid(p->shell, NULL, 0);
	str_done(&p->out);
}

/* ---- talking to it ---- */

void pty_send(struct pty *p, const char *bytes)
{
	write_all(p->master, bytes, strlen(bytes));
}

void pty_resize(struct pty *p, int w, int h)
{
	struct winsize size = { .ws_col = w, .ws_row = h };

	ioctl(p->master, TIOCSWINSZ, &size);
}

/* Takes what output there is within ms; true when a report is waiting. */
static bool step(struct pty *p, long ms)
{
	struct pollfd fds[2] = { { p->reports, POLLIN, 0 },
				 { p->master, POLLIN, 0 } };
	char data[65536];
	ssize_t n;

	if (poll(fds, p->master >= 0 ? 2 : 1, (int)MAX(ms, 0)) <= 0)
		return false;
	if (p->master >= 0 && (fds[1].revents & POLLIN)) {
		n = read(p->master, data, sizeof(data));
		/* A NUL would end the text for strstr(). */
		for (ssize_t i = 0; i < n; i++)
			str_addc(&p->out, data[i] ? data[i] : '?');
		return false;
	}
	return fds[0].revents & POLLIN;
}

void pty_read(struct pty *p, int ms)
{
	for (long end = now_ms() + ms; now_ms() < end; )
		if (step(p, MIN(end - now_ms(), 10)))
			usleep(1000);
}

bool pty_saw(const struct pty *p, size_t from, const char *text)
{
	return from <= p->out.len && p->out.data &&
	       strstr(p->out.data + from, text);
}

bool pty_wait_for(struct pty *p, size_t from, const char *text)
{
	long end = now_ms() + PTY_MS;

	while (!pty_saw(p, from, text) && now_ms() < end)
		if (step(p, end - now_ms()))
			return pty_saw(p, from, text);
	return pty_saw(p, from, text);
}

bool pty_wait(struct pty *p, struct pty_report *r)
{
	long end = now_ms() + PTY_MS;

	while (!step(p, end - now_ms()))
		if (now_ms() >= end)
			return false;
	return read(p->reports, r, sizeof(*r)) == sizeof(*r);
}

void pty_continue(struct pty *p, bool foreground)
{
	write_all(p->commands, foreground ? "f" : "b", 1);
}

/* ---- what it has done ---- */

bool pty_mode(const struct pty *p, int mode)
{
	const char *s = p->out.data ? p->out.data : "";
	bool on = mode == 25;

	while ((s = strstr(s, "\033[?"))) {
		bool named = false;

		for (s += 3; ; s++) {
			char *end;

			named |= strtol(s, &end, 10) == mode;
			s = end;
			if (*s != ';')
				break;
		}
		if (named && (*s == 'h' || *s == 'l'))
			on = *s == 'h';
	}
	return on;
}

bool pty_modes_same(const struct pty *p)
{
	struct termios t;

	return tcgetattr(p->master, &t) == 0 &&
	       t.c_iflag == p->before.c_iflag &&
	       t.c_oflag == p->before.c_oflag &&
	       t.c_cflag == p->before.c_cflag &&
	       t.c_lflag == p->before.c_lflag &&
	       !memcmp(t.c_cc, p->before.c_cc, sizeof(t.c_cc));
}

/* What the last SGR said; colours and attributes must end in none. */
static bool plain(const struct pty *p)
{
	const char *s = p->out.data ? p->out.data : "", *last = NULL;

	while ((s = strstr(s, "\033["))) {
		const char *end = s + 2 + strspn(s + 2, "0123456789;");

		if (*end == 'm')
			last = s + 2;
		s = end;
	}
	return !last || !strncmp(last, "m", 1) || !strncmp(last, "0m", 2) ||
	       !strncmp(last, "39;49m", 6);
}

const char *pty_not_restored(const struct pty *p)
{
	if (!pty_modes_same(p))
		return "modes of the line";
	if (pty_mode(p, 1049))
		return "screen";
	if (!pty_mode(p, 25))
		return "cursor";
	if (pty_mode(p, 1000) || pty_mode(p, 1002) || pty_mode(p, 1003) ||
	    pty_mode(p, 1006))
		return "mouse";
	if (pty_mode(p, 1))
		return "cursor keys";
	if (pty_mode(p, 2004))
		return "paste";
	return plain(p) ? NULL : "colours";
}
