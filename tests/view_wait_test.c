/*
 * `gemmviz view` of what must be recorded first: the screen says at once what is
 * done and for how long, q and Ctrl-C work from the first key, and what goes
 * wrong is one line behind a terminal that is as it was.
 */
#include <config.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pty.h"
#include "tap.h"

#define GEMMVIZ ABS_BUILDDIR "/gemmviz"
#define HOSTILE ABS_SRCDIR "/tests/hostile/"
#define PROGRAMS ABS_SRCDIR "/tests/programs/"
#define WORDS 16
#define SOON 10.0		/* s; on a quiet machine a hundredth of it */

static char folder[] = "/tmp/view_wait_test.XXXXXX";

#define QUICK "__global__ void f(float *A) { A[threadIdx.x] = 1; }\n"
#define ENDLESS "__global__ void f(float *A) { for (volatile int i = 0;; " \
		"i = i + 1); }\n"

/* Takes the compiler a quarter of a minute, and no memory. */
#define SLOW \
	"template <int N> constexpr int f() { int s = N; for (int i = 0; " \
	"i < 100000; i++) for (int k = 0; k < 8; k++) s ^= k; return s; }\n" \
	"template <int N> constexpr int g() { return f<N>() + f<N + 1>() + " \
	"f<N + 2>() + f<N + 3>(); }\n" \
	"constexpr int a[] = { g<0>(), g<4>(), g<8>(), g<12>(), g<16>(), " \
	"g<20>(), g<24>(), g<28>(), g<32>(), g<36>() };\n" \
	"__global__ void k(float *A) { A[threadIdx.x] = a[1]; }\n"

/* What takes long, and what is said of it. */
static const struct { const char *line, *words; } waits[] = {
	{ "$T/slow.cu --block 32 --grid 1", "Compiling slow.cu" },
	/* Without events, and so for longer than anybody here waits. */
	{ "$T/loop.cu --block 32 --grid 1 --spaces shared "
	  "--max-events 1000000000", "Recording loop.cu on the CPU" },
	{ PROGRAMS "hostile_loop.cu", "Running hostile_loop.cu on the CPU" },
	{ "naive -m 4096 -n 4096 -k 4096", "Recording naive on the CPU" },
	{ "naive --runner $T/mute", "Waiting for " },
};

/* What cannot be recorded, and the status. */
static const struct { const char *line; int status; } errors[] = {
	{ "$T/bad.cu --block 32 --grid 1", EXIT_INPUT },
#ifndef SANITIZED	/* which is not confined */
	{ HOSTILE "kernel_exec.cu --block 32 --grid 1", EXIT_REFUSED },
#endif
	{ "$T/loop.cu --entry g --block 32 --grid 1", EXIT_USAGE },
	{ "$T/none.cu --block 32 --grid 1", EXIT_INPUT },
	{ "naive --runner /nowhere/recorder", EXIT_RUNNER },
	{ "$T/a.gvt $T/bad.cu --block 32 --grid 1", EXIT_INPUT },
};

static void file_make(const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", folder, name);
	struct error e;

	if (file_write(path, text, &e) < 0)
		fatal("%s", e.text);
	free(path);
}

/* $T is the folder of the test. */
static char *with_folder(const char *line)
{
	struct str s = {0};

	for (; *line; line++)
		if (!strncmp(line, "$T", 2))
			str_add(&s, folder), line++;
		else
			str_addc(&s, *line);
	return str_take(&s);
}

static void start(struct pty *p, char *line)
{
	const char *argv[WORDS] = { GEMMVIZ, "view" };
	const char *env[] = { "GEMMVIZ_MOTION=off", NULL };
	size_t n = 2;

	for (char *w = strtok(line, " "); w && n < WORDS - 1;
	     w = strtok(NULL, " "))
		argv[n++] = w;
	pty_start(p, argv, env, 100, 30);
}

static int status_of(const struct pty_report *r)
{
	return WIFSIGNALED(r->status) ? 128 + WTERMSIG(r->status) :
					WEXITSTATUS(r->status);
}

/* ---- while it is recorded ---- */

/* Whether the words stand on the screen, which is drawn anew for it. */
static bool shows(struct pty *p, const char *words)
{
	double end = seconds_now() + PTY_MS / 1e3;
	size_t from;

	do {
		from = p->out.len;
		pty_send(p, "\f");
		pty_read(p, 100);
	} while (!pty_saw(p, from, words) && seconds_now() < end);
	return pty_saw(p, from, words);
}

static int seconds_shown(struct pty *p)
{
	size_t from = p->out.len;
	const char *at;
	int n = -1;

	shows(p, " s)");
	at = strstr(p->out.data + from, " s)");
	while (at && at > p->out.data && at[-1] >= '0' && at[-1] <= '9')
		at--;
	if (at)
		sscanf(at, "%d", &n);
	return n;
}

static void ends(struct pty *p, const char *key, int status, const char *what)
{
	double begun = seconds_now(), took;
	struct pty_report r;
	bool ended;

	pty_send(p, key);
	ended = pty_wait(p, &r);
	took = seconds_now() - begun;
	tap_ok(ended && status_of(&r) == status && took < SOON,
	       "%s: %s ends it (%.0f ms)", what, *key == 'q' ? "q" : "Ctrl-C",
	       took * 1e3);
	pty_read(p, 20);
	tap_str(pty_not_restored(p), NULL, "... and the terminal is as it was");
	pty_done(p);
}

static void test_wait(const char *what, const char *words)
{
	double begun = seconds_now(), took;
	char *line = with_folder(what);
	struct pty p;
	size_t quiet;

	start(&p, line);
	pty_wait_for(&p, 0, " s)");
	took = seconds_now() - begun;
	tap_ok(took < SOON, "%s: words (%.0f ms)", what, took * 1e3);
	tap_ok(shows(&p, words), "... it says '%s'", words);
	pty_read(&p, 1100);
	quiet = p.out.len;
	pty_read(&p, 1200);
	tap_ok(p.out.len > quiet, "... it goes on without a key");
	tap_ok(seconds_shown(&p) >= 2, "... with the seconds");
	ends(&p, "q", EXIT_DONE, what);
	free(line);
}

/* Before there is anything on the screen, the terminal keeps the key. */
static void test_first_key(const char *key, int status)
{
	char *line = with_folder(waits[0].line);
	struct pty p;

	start(&p, line);
	if (*key != 'q')
		pty_wait_for(&p, 0, "\033[");
	ends(&p, key, status, "the first key");
	free(line);
}

/* ---- while it is recorded again ---- */

/* Recorders at work have their files in the test's folder. */
static bool recorders(void)
{
	char *command = xasprintf("ls -l /proc/[0-9]*/fd 2>/dev/null | "
				  "grep -q %s/", folder);
	bool any = system(command) == 0;

	free(command);
	return any;
}

static void test_watch(void)
{
	char *line = with_folder("--watch $T/w.cu --block 32 --grid 1 --spaces "
				 "shared,global --max-events 1000000000");
	struct pty p;

	file_make("w.cu", ENDLESS);
	start(&p, line);
	tap_ok(shows(&p, "Recording w.cu"), "--watch: the first recording");
	file_make("w.cu", QUICK);
	tap_ok(shows(&p, "phase 1/1"), "... saved meanwhile: the second");
	file_make("w.cu", ENDLESS);
	tap_ok(shows(&p, "Saved: Recording w.cu on the CPU"),
	       "... saved again: what is done for it");
	pty_read(&p, 2100);
	tap_ok(seconds_shown(&p) >= 2, "... with the seconds");
	file_make("w.cu", QUICK);
	tap_ok(shows(&p, "Recorded again:"), "... and again: that one ends");
	file_make("w.cu", ENDLESS);
	tap_ok(shows(&p, "Saved: Recording") && recorders(),
	       "... a recorder is at work");
	ends(&p, "q", EXIT_DONE, "--watch");
	tap_ok(!recorders(), "... and none is left");
	free(line);
}

/* ---- what goes wrong ---- */

/* The line that a command without a screen writes. */
static char *said_of(const char *line, int *status)
{
	char *command = xasprintf("%s view --plain %s 2>&1 >/dev/null",
				  GEMMVIZ, line);
	FILE *f = popen(command, "r");
	char said[700] = "";
	size_t n = f ? fread(said, 1, sizeof(said) - 1, f) : 0;

	said[n] = 0;
	*status = f ? WEXITSTATUS(pclose(f)) : -1;
	free(command);
	said[strcspn(said, "\n")] = 0;
	return xstrdup(said);
}

static void test_error(const char *what, int status)
{
	char *line = with_folder(what), *said;
	struct pty_report r = {0};
	const char *last;
	struct pty p;
	int plain;

	said = said_of(line, &plain);
	tap_is(plain, status, "%s: it has this status", what);
	start(&p, line);
	tap_ok(pty_wait(&p, &r) && status_of(&r) == status,
	       "... on a screen, too");
	pty_read(&p, 50);
	tap_str(pty_not_restored(&p), NULL, "... the terminal is as it was");
	last = p.out.data ? strstr(p.out.data, "gemmviz: ") : NULL;
	while (last && strstr(last + 1, "gemmviz: "))
		last = strstr(last + 1, "gemmviz: ");
	tap_ok(last && !strncmp(last, said, strlen(said)) &&
	       !strcmp(last + strlen(said), "\r\n"),
	       "... and says in a line: %s", said);
	pty_done(&p);
	free(said);
	free(line);
}

/* ---- all of it ---- */

static void run(const char *line)
{
	char *command = with_folder(line);

	if (system(command))
		fatal("%s", command);
	free(command);
}

int main(void)
{
	if (!mkdtemp(folder))
		fatal("mkdtemp: %s", strerror(errno));
	setenv("TMPDIR", folder, 1);
	file_make("slow.cu", SLOW);
	file_make("loop.cu", ENDLESS);
	file_make("bad.cu", "int x =\n");
	file_make("mute", "#!/bin/sh\nexec sleep 60\n");
	run("chmod +x $T/mute");
	run(GEMMVIZ " record tiled -m 16 -n 16 -k 16 -o $T/a.gvt >/dev/null");
	for (size_t i = 0; i < LENGTH(waits); i++)
		test_wait(waits[i].line, waits[i].words);
	test_first_key("q", EXIT_DONE);
	test_first_key("\003", 128 + SIGINT);
	test_watch();
	for (size_t i = 0; i < LENGTH(errors); i++)
		test_error(errors[i].line, errors[i].status);
	run("rm -r $T");
	return tap_done();
}
