/*
 * What may happen to a terminal program besides being killed: keys and mice,
 * sizes, being stopped, crashing, a terminal that goes away or takes nothing.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pty.h"
#include "tap.h"

#define DEMO ABS_BUILDDIR "/tests/term_demo"

static void start(struct pty *p, const char *mode)
{
	const char *const argv[] = { DEMO, mode, NULL };

	pty_start(p, argv, NULL, 80, 24);
	pty_wait_for(p, 0, "corner");
	pty_wait_for(p, 0, "\033[?1006h");
}

/* The demo draws all anew (--anew), so that all of the answer is seen. */
static bool answers(struct pty *p, const char *keys, const char *said)
{
	size_t from = p->out.len;

	pty_send(p, keys);
	return pty_wait_for(p, from, said);
}

static void test_keys(void)
{
	struct pty p;

	start(&p, "--anew");
	tap_ok(answers(&p, "a", "key:U+0061"), "a key");
	tap_ok(answers(&p, "\xe7\x9f\xa9", "key:U+77E9"),
	       "a character of 3 bytes");
	tap_ok(answers(&p, "\033OA", "key:1"),
	       "a cursor key, as terminfo has it");
	pty_send(&p, "\033[<0;11;");
	pty_read(&p, 60);
	tap_ok(answers(&p, "5M", "mouse:0@10,4"), "the mouse, in portions");
	tap_ok(answers(&p, "\033[<65;3;4M", "mouse:4@2,3"), "its wheel");
	tap_ok(answers(&p, "\033", "key:12"), "a lone Escape");
	tap_ok(answers(&p, "\x13" "b", "key:U+0062"),
	       "Ctrl-S does not freeze the screen");
	pty_send(&p, "\033[200~\033]\033[99;99X\377\376");
	pty_read(&p, 60);
	tap_ok(answers(&p, "c", "key:U+0063"), "nonsense does no harm");
	pty_done(&p);
}

/* Voluntary switches: how often it has waited and been woken. */
static long switches(pid_t pid)
{
	char path[64], line[256];
	long n = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		sscanf(line, "voluntary_ctxt_switches: %ld", &n);
	if (f)
		fclose(f);
	return n;
}

static void test_idle(void)
{
	struct pty p;
	size_t out;
	long n;

	start(&p, NULL);
	pty_send(&p, "\033");
	pty_read(&p, 100);
	n = switches(p.job);
	out = p.out.len;
	pty_read(&p, 400);
	tap_ok(n > 0 && switches(p.job) == n, "idle: never woken");
	tap_is(p.out.len, out, "idle: nothing written");
	pty_done(&p);
}

/* The program itself, with a lesson and its recordings open: at rest it waits
 * for keys, and for nothing else. */
static void test_program_idle(void)
{
	const char *const argv[] = { ABS_BUILDDIR "/gemmviz", "--lesson",
				     "coalescing", NULL };
	const char *const env[] = { "GEMMVIZ_MOTION=off", NULL };
	struct pty p;
	long n, before = -1;

	pty_start(&p, argv, env, 100, 30);
	pty_wait_for(&p, 0, "\033[?1006h");
	/* Until the recordings are there. */
	for (int i = 0; i < 40 && (n = switches(p.job)) != before; i++) {
		before = n;
		pty_read(&p, 300);
	}
	n = switches(p.job);
	pty_read(&p, 1200);
	tap_ok(n > 0 && switches(p.job) == n, "the program, idle: never woken");
	pty_done(&p);
}

static void test_sizes(void)
{
	static const int odd[][2] = { { 1, 1 }, { 2, 1 }, { 1, 200 },
				      { 500, 3 }, { 65535, 65535 },
				      { 0, 0 }, { 97, 31 } };
	struct pty_report r;
	struct pty p;

	start(&p, "--anew");
	for (int i = 0; i < 100; i++) {
		pty_resize(&p, 20 + i * 7 % 150, 5 + i * 3 % 60);
		usleep(5000);
		if (i % 5 == 0)
			pty_read(&p, 1);
	}
	pty_resize(&p, 83, 29);
	tap_ok(pty_wait_for(&p, 0, "83x29"),
	       "a hundred sizes in half a second: the last is drawn");
	for (size_t i = 0; i < LENGTH(odd); i++) {
		pty_resize(&p, odd[i][0], odd[i][1]);
		pty_read(&p, 60);
	}
	tap_ok(answers(&p, "a", "key:U+0061"), "odd sizes do no harm");
	pty_send(&p, "q");
	tap_ok(pty_wait(&p, &r) && r.status == 0, "... and it ends");
	pty_done(&p);
}

static void test_stops(void)
{
	struct termios modes;
	struct pty_report r;
	struct pty p;
	size_t from;

	start(&p, NULL);
	kill(p.job, SIGTSTP);
	tap_ok(pty_wait(&p, &r) && WIFSTOPPED(r.status) &&
	       !pty_not_restored(&p), "SIGTSTP: stopped, restored");
	from = p.out.len;
	pty_continue(&p, true);
	tap_ok(pty_wait_for(&p, from, "corner") && !pty_modes_same(&p),
	       "... continued, drawn again");

	kill(p.job, SIGSTOP);
	tap_ok(pty_wait(&p, &r) && WIFSTOPPED(r.status), "SIGSTOP: stopped");
	tcsetattr(p.master, TCSANOW, &p.before);
	from = p.out.len;
	pty_continue(&p, true);
	tap_ok(pty_wait_for(&p, from, "corner") && !pty_modes_same(&p) &&
	       pty_mode(&p, 1049), "... continued, drawn again");

	pty_send(&p, "\032");
	tap_ok(pty_wait(&p, &r) && WIFSTOPPED(r.status), "Ctrl-Z: stopped");
	from = p.out.len;
	/* The shell has modes of its own meanwhile. */
	modes = p.before;
	modes.c_lflag &= ~(tcflag_t)ECHO;
	tcsetattr(p.master, TCSANOW, &modes);
	pty_continue(&p, false);
	tap_ok(pty_wait(&p, &r) && WIFSTOPPED(r.status) &&
	       WSTOPSIG(r.status) == SIGTTOU && !pty_saw(&p, from, "\033"),
	       "... in the background it waits and leaves the screen alone");
	tcsetattr(p.master, TCSANOW, &p.before);
	pty_continue(&p, true);
	tap_ok(pty_wait_for(&p, from, "corner"), "... until it may draw");

	pty_send(&p, "z");
	tap_ok(pty_wait(&p, &r) && WIFSTOPPED(r.status) &&
	       !pty_not_restored(&p), "it can suspend itself");
	kill(p.job, SIGTERM);
	from = p.out.len;
	pty_continue(&p, true);
	tap_ok(pty_wait(&p, &r) && WTERMSIG(r.status) == SIGTERM &&
	       !pty_not_restored(&p) && !pty_saw(&p, from, "\033"),
	       "killed while stopped: the screen is not touched again");
	pty_done(&p);
}

/* A key that waits from before the start does not cut the picture short. */
static void test_typeahead(void)
{
	const char *const argv[] = { "sh", "-c", "sleep 0.2; exec " DEMO,
				     NULL };
	struct pty_report r;
	struct pty p;

	pty_start(&p, argv, NULL, 80, 24);
	pty_send(&p, "q\n");
	tap_ok(pty_wait(&p, &r) && r.status == 0, "a key typed ahead counts");
	tap_ok(pty_saw(&p, 0, "corner"), "... after a whole picture");
	pty_done(&p);
}

static void ends(const char *mode, int signal, int status, const char *word)
{
	struct pty_report r;
	const char *what;
	struct pty p;

	start(&p, mode);
	tap_ok(pty_saw(&p, 0, "\033[?1049h"), "%s: on the screen first", mode);
	tap_ok(pty_wait(&p, &r) &&
	       (signal ? WIFSIGNALED(r.status) && WTERMSIG(r.status) == signal
		       : WIFEXITED(r.status) &&
			 WEXITSTATUS(r.status) == status),
	       "... ends with %s %d", signal ? "signal" : "status",
	       signal ? signal : status);
	what = pty_not_restored(&p);
	tap_ok(!what, "... restores the terminal: %s", what ? what : "all");
	if (word) {
		const char *left = strstr(p.out.data, "\033[?1049l");

		tap_ok(left && strstr(left, word), "... then says '%s'", word);
	}
	pty_done(&p);
}

/* A child that dies leaves the screen to its parent. */
static void child(void)
{
	struct pty_report r;
	const char *left;
	struct pty p;

	start(&p, "child");
	tap_ok(pty_wait(&p, &r) && WIFEXITED(r.status) &&
	       WEXITSTATUS(r.status) == 9, "a child dies, the parent ends");
	left = strstr(p.out.data, "\033[?1049l");
	tap_ok(left && !strstr(left + 1, "\033[?1049l"),
	       "... and the screen is left once");
	pty_done(&p);
}

/* The terminal is closed, as when a connection is lost. */
static void hang_up(const char *prefix, const char *keys, bool ignored,
		    const char *what)
{
	char *line = xasprintf("%sexec " DEMO, prefix);
	const char *const argv[] = { "sh", "-c", line, NULL };
	struct pty_report r = { 0 };
	struct pty p;
	bool ended;
	long cpu;

	pty_start(&p, argv, NULL, 80, 24);
	pty_wait_for(&p, 0, "corner");
	pty_send(&p, keys);
	pty_read(&p, 50);
	close(p.master);
	p.master = -1;
	alarm(20);
	ended = pty_wait(&p, &r);
	cpu = r.used.ru_utime.tv_sec + r.used.ru_stime.tv_sec;
	tap_ok(ended && cpu == 0, "%s: it ends, and does not spin", what);
	tap_ok(r.status == 0 || (!ignored && WIFSIGNALED(r.status) &&
				 WTERMSIG(r.status) == SIGHUP),
	       "... %s", ignored ? "in order" : "in order or by the signal");
	pty_done(&p);
	free(line);
}

/* Nobody reads what it writes; it must still be possible to end it. */
static void test_stuck(void)
{
	struct pty_report r;
	struct pty p;
	int master;

	start(&p, "--anew");
	pty_send(&p, "d");
	for (int i = 0; i < 40; i++) {
		pty_resize(&p, 200 - i % 2, 100);
		usleep(10000);
	}
	kill(p.job, SIGTERM);
	master = p.master;
	p.master = -1;
	tap_ok(pty_wait(&p, &r) && WIFSIGNALED(r.status) &&
	       WTERMSIG(r.status) == SIGTERM,
	       "a terminal that takes no output does not keep it alive");
	p.master = master;
	pty_done(&p);
}

int main(void)
{
	alarm(120);
	test_keys();
	test_typeahead();
	test_idle();
	test_program_idle();
	test_sizes();
	test_stops();
	ends("exit", 0, 9, NULL);
	ends("fatal", 0, EXIT_BUG, "demo of a fatal failure");
	ends("segv", SIGSEGV, 0, NULL);
	ends("overflow", SIGSEGV, 0, NULL);
	ends("abort", SIGABRT, 0, NULL);
	child();
	hang_up("", "", false, "hangup");
	hang_up("", "d", false, "hangup while drawing");
	hang_up("trap '' HUP; ", "", true, "hangup, SIGHUP ignored");
	hang_up("trap '' HUP; ", "d", true,
		"hangup while drawing, SIGHUP ignored");
	test_stuck();
	return tap_done();
}
