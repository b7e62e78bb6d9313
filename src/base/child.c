#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/resource.h"
#include "base/text.h"

/* How long a child may take to end by itself, and after a SIGTERM. */
#define PATIENCE_MS 300

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Makes a pipe whose ends are above the three standard descriptors, even when
 * our own were closed, so that dup2() onto those never meets itself. */
static int pipe_above(int fd[2])
{
	int low[2], saved;

	if (pipe2(low, O_CLOEXEC) < 0)
		return -1;
	fd[0] = fcntl(low[0], F_DUPFD_CLOEXEC, 3);
	fd[1] = fcntl(low[1], F_DUPFD_CLOEXEC, 3);
	saved = errno;
	close(low[0]);
	close(low[1]);
	if (fd[0] >= 0 && fd[1] >= 0)
		return 0;
	close_fd(&fd[0]);
	close_fd(&fd[1]);
	errno = saved;
	return -1;
}

enum pipes { TO_INPUT, FROM_OUTPUT, FROM_ERRORS, FROM_EXEC, PIPES };

static void close_pipes(int pipes[PIPES][2])
{
	for (int i = 0; i < PIPES; i++) {
		close_fd(&pipes[i][0]);
		close_fd(&pipes[i][1]);
	}
}

static int open_pipes(int pipes[PIPES][2])
{
	for (int i = 0; i < PIPES; i++)
		pipes[i][0] = pipes[i][1] = -1;
	for (int i = 0; i < PIPES; i++)
		if (pipe_above(pipes[i]) < 0)
			return -1;
	return 0;
}

/* Sets up the child between fork and exec, and becomes the program. Makes
 * async-signal-safe calls only. */
_Noreturn static void exec_program(char *const *argv, int pipes[PIPES][2],
				   pid_t parent)
{
	sigset_t none;
	int problem;

	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	if (dup2(pipes[TO_INPUT][0], STDIN_FILENO) >= 0 &&
	    dup2(pipes[FROM_OUTPUT][1], STDOUT_FILENO) >= 0 &&
	    dup2(pipes[FROM_ERRORS][1], STDERR_FILENO) >= 0)
		execvp(argv[0], argv);
	problem = errno;
	if (write(pipes[FROM_EXEC][1], &problem, sizeof(problem)) < 0)
		_exit(126);
	_exit(127);
}

/* Signals wait, so that none of our handlers runs in the child. */
static pid_t fork_into(char *const *argv, int pipes[PIPES][2])
{
	sigset_t all, before;
	pid_t parent = getpid(), pid;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = fork();
	if (!pid)
		exec_program(argv, pipes, parent);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

/* Reads why exec failed in the child: an errno, or 0 when it succeeded. */
static int exec_problem(int pipes[PIPES][2])
{
	int problem = 0;
	ssize_t n;

	close_fd(&pipes[FROM_EXEC][1]);
	do
		n = read(pipes[FROM_EXEC][0], &problem, sizeof(problem));
	while (n < 0 && errno == EINTR);
	return n == sizeof(problem) ? problem : 0;
}

static int take_end(int *fd)
{
	int taken = *fd;

	*fd = -1;
	fcntl(taken, F_SETFL, fcntl(taken, F_GETFL) | O_NONBLOCK);
	return taken;
}

static void watch_pipe(struct child *c, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	if (epoll_ctl(c->events, EPOLL_CTL_ADD, fd, &event) < 0)
		fatal("cannot watch a pipe: %s", strerror(errno));
}

static void unwatch_pipe(struct child *c, int *fd)
{
	if (*fd >= 0)
		epoll_ctl(c->events, EPOLL_CTL_DEL, *fd, NULL);
	close_fd(fd);
}

/* Formats the command for messages: "ssh lab gemmviz-gpu"; a single word
 * without its folder. The caller frees it. */
static char *command_name(char *const *argv)
{
	const char *slash = strrchr(argv[0], '/');
	struct str words = { 0 };
	char *name;

	str_add(&words, slash && slash[1] ? slash + 1 : argv[0]);
	for (int i = 1; argv[i]; i++)
		str_addf(&words, " %s", argv[i]);
	name = text_clean(words.data, MIN(words.len, 60), 0);
	str_done(&words);
	return name;
}

static void init_child(struct child *c, char *const *argv)
{
	*c = (struct child){ .in = -1, .out = -1, .err = -1 };
	c->name = command_name(argv);
	c->events = epoll_create1(EPOLL_CLOEXEC);
}

static int cannot_start(struct child *c, int problem, struct error *e)
{
	error_resource(e, problem, EXIT_RUNNER, _("cannot start %s"), c->name);
	child_done(c);
	return -1;
}

int child_start(struct child *c, char *const *argv, struct error *e)
{
	int pipes[PIPES][2], problem;

	init_child(c, argv);
	if (open_pipes(pipes) < 0 || c->events < 0 || (c->pid = fork_into(argv, pipes)) < 0) {
		problem = errno;
		c->pid = 0;
		close_pipes(pipes);
		return cannot_start(c, problem, e);
	}
	problem = exec_problem(pipes);
	c->in = take_end(&pipes[TO_INPUT][1]);
	c->out = take_end(&pipes[FROM_OUTPUT][0]);
	c->err = take_end(&pipes[FROM_ERRORS][0]);
	close_pipes(pipes);
	watch_pipe(c, c->out);
	watch_pipe(c, c->err);
	return problem ? cannot_start(c, problem, e) : 0;
}

/* Waits for the end, at most `ms`; the child is not reaped yet. */
static bool ends_within(struct child *c, int ms)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	const double end = seconds_now() + ms / 1e3;
	siginfo_t info;

	for (;;) {
		info.si_pid = 0;
		if (waitid(P_PID, c->pid, &info,
			   WEXITED | WNOHANG | WNOWAIT) < 0 && errno != EINTR)
			return true;
		if (info.si_pid == c->pid)
			return true;
		if (seconds_now() >= end)
			return false;
		nanosleep(&moment, NULL);
	}
}

/* Kills the child with its process group, reaps it and returns waitpid()'s
 * status. While the child is not reaped, no other group can have its number. */
static int reap_child(struct child *c)
{
	int status = 0;

	kill(-c->pid, SIGKILL);
	kill(c->pid, SIGKILL);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
	return status;
}

void child_stop(struct child *c)
{
	close_fd(&c->in);
	if (c->pid) {
		kill(-c->pid, SIGTERM);
		kill(c->pid, SIGTERM);
		ends_within(c, PATIENCE_MS);
		reap_child(c);
	}
	unwatch_pipe(c, &c->out);
	unwatch_pipe(c, &c->err);
}

void child_done(struct child *c)
{
	child_stop(c);
	close_fd(&c->events);
	free(c->name);
	c->name = NULL;
}

/* Keeps the last CHILD_TAIL bytes. */
static void keep_tail(struct child *c, const char *text, size_t n)
{
	size_t keep = MIN(c->tail_len, CHILD_TAIL - n);

	memmove(c->tail, c->tail + c->tail_len - keep, keep);
	memcpy(c->tail + keep, text, n);
	c->tail_len = keep + n;
	c->complained += n;
}

/* Reads what the child has written to standard error, at most 64 chunks, so
 * that one that never stops writing cannot hold us here. */
static void read_errors(struct child *c)
{
	char chunk[CHILD_TAIL];
	ssize_t n;

	for (int i = 0; c->err >= 0 && i < 64; i++) {
		n = read(c->err, chunk, sizeof(chunk));
		if (n > 0)
			keep_tail(c, chunk, n);
		else if (n == 0 || (errno != EAGAIN && errno != EINTR))
			unwatch_pipe(c, &c->err);
		else
			return;
	}
}

ssize_t child_read(struct child *c, void *buf, size_t n)
{
	read_errors(c);
	if (c->out < 0)
		return 0;
	return read(c->out, buf, n);
}

ssize_t child_write(struct child *c, const void *buf, size_t n)
{
	const struct timespec now = { 0 };
	sigset_t set, before, pending;
	ssize_t written;
	int saved;

	if (c->in < 0) {
		errno = EPIPE;
		return -1;
	}
	sigpending(&pending);
	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	sigprocmask(SIG_BLOCK, &set, &before);
	written = write(c->in, buf, n);
	saved = errno;
	if (written < 0 && saved == EPIPE) {
		if (!sigismember(&pending, SIGPIPE))
			sigtimedwait(&set, NULL, &now);
		close_fd(&c->in);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = saved;
	return written;
}

char *child_words(const struct child *c)
{
	size_t end = c->tail_len, start;

	while (end && strchr(" \t\r\n", c->tail[end - 1]))
		end--;
	for (start = end; start && c->tail[start - 1] != '\n'; start--)
		;
	if (start == end)
		return NULL;
	return text_clean(c->tail + start, MIN(end - start, 400), 0);
}

static void say_end(const char *name, int status, const char *words,
		    struct error *e)
{
	const char *colon = words ? ": " : "";

	if (!words)
		words = "";
	if (WIFSIGNALED(status))
		error_set(e, EXIT_RUNNER, _("%s ended by signal %d (%s)%s%s"),
			  name, WTERMSIG(status), strsignal(WTERMSIG(status)),
			  colon, words);
	else
		error_set(e, EXIT_RUNNER, _("%s ended with status %d%s%s"),
			  name, WEXITSTATUS(status), colon, words);
}

void child_epitaph(struct child *c, struct error *e)
{
	bool ended = c->pid && ends_within(c, PATIENCE_MS);
	char *words;

	read_errors(c);
	words = child_words(c);
	if (ended)
		say_end(c->name, reap_child(c), words, e);
	else
		error_set(e, EXIT_RUNNER, _("%s closed its output%s%s"),
			  c->name, words ? ": " : "", words ? words : "");
	free(words);
	child_stop(c);
}
