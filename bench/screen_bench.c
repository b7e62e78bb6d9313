/*
 * screen_bench: the budgets of the screen, measured from outside through a
 * terminal: start, key to frame, rest, playing, memory, scrubbing.
 *
 * usage: screen_bench GEMMVIZ [RIVAL]   RIVAL: htop, if it is installed
 */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define REPEATS 5
#define KEYS 400

struct run { int fd; pid_t pid; size_t bytes; double started; };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct run start(char *const argv[], int w, int h)
{
	struct winsize size = { .ws_row = (unsigned short)h,
				.ws_col = (unsigned short)w };
	struct run r = { .started = now() };

	r.pid = forkpty(&r.fd, NULL, NULL, &size);
	if (r.pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		execvp(argv[0], argv);
		_exit(127);
	}
	return r;
}

static void stop(struct run *r)
{
	kill(r->pid, SIGTERM);
	close(r->fd);
	waitpid(r->pid, NULL, 0);
}

/* Reads until `text` came (NULL: never mind) and then `quiet` ms of silence;
 * the time of the last byte. -1 after `limit` seconds. */
static double settle(struct run *r, const char *text, int quiet, double limit)
{
	static char tail[1 << 17];
	double begun = now(), last = -1;
	size_t used = 0;
	int found = !text;

	while (now() - begun < limit) {
		struct pollfd p = { .fd = r->fd, .events = POLLIN };
		ssize_t n;

		if (!poll(&p, 1, quiet)) {
			if (found && last >= 0)
				return last;
			continue;
		}
		if (used > sizeof(tail) / 2) {
			memmove(tail, tail + used - 256, 256);
			used = 256;
		}
		n = read(r->fd, tail + used, sizeof(tail) - used - 1);
		if (n <= 0)
			return -1;
		last = now();
		r->bytes += (size_t)n;
		used += (size_t)n;
		tail[used] = 0;
		for (size_t i = 0; i < used && !found; i++)	/* has NULs? */
			if (text && !strncmp(tail + i, text, strlen(text)))
				found = 1;
		if (found && !quiet)
			return last;
	}
	return -1;
}

static int up(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Lines as bench/run takes them: name, value, unit. */
static void say(const char *what, double *ms, int n, const char *budget)
{
	qsort(ms, (size_t)n, sizeof(*ms), up);
	printf("%s-median %.2f ms of %d, %s\n", what, ms[n / 2], n, budget);
	printf("%s-99th %.2f ms of %d, %s\n", what, ms[(n * 99 - 1) / 100], n,
	       budget);
	fflush(stdout);
}

static void bench_start(char *gemmviz)
{
	char *argv[] = { gemmviz, "--lesson", "coalescing", NULL };
	char *map[] = { gemmviz, NULL };
	double first[REPEATS], stage[REPEATS], course[REPEATS];

	for (int i = 0; i < REPEATS; i++) {
		struct run r = start(argv, 120, 36);

		first[i] = (settle(&r, "gemmviz", 0, 10) - r.started) * 1e3;
		/* The timeline is drawn when the trace is on stage. */
		stage[i] = (settle(&r, "/s", 0, 10) - r.started) * 1e3;
		stop(&r);
		/* The keys are drawn last. */
		r = start(map, 120, 36);
		course[i] = (settle(&r, "quit", 0, 10) - r.started) * 1e3;
		stop(&r);
	}
	say("first-frame-map", course, REPEATS, "budget 50");
	say("first-frame", first, REPEATS, "budget 50");
	say("trace-on-stage", stage, REPEATS, "budget 200");
}

/* Milliseconds that the process has computed, in which others' load does not
 * count. */
static double computed(pid_t pid)
{
	double ns = 0;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
	f = fopen(path, "r");
	if (f && fscanf(f, "%lf", &ns) != 1)
		ns = 0;
	if (f)
		fclose(f);
	return ns * 1e-6;
}

static void bench_keys(char *const argv[], const char *name,
		       const char *ready, const char *const keys[2],
		       const char *budget)
{
	struct run r = start(argv, 120, 36);
	double ms[KEYS], cpu[KEYS];
	char *of_cpu = NULL;
	int n = 0;

	settle(&r, ready, 300, 10);
	for (int i = 0; i < KEYS; i++) {
		const char *key = keys[i / 100 % 2];
		double before = computed(r.pid), sent = now(), shown;

		if (write(r.fd, key, strlen(key)) < 0)
			break;
		shown = settle(&r, NULL, 8, 0.2);
		if (shown < 0)
			continue;
		cpu[n] = computed(r.pid) - before;
		ms[n++] = (shown - sent) * 1e3;
	}
	stop(&r);
	if (!n || asprintf(&of_cpu, "%s-cpu", name) < 0)
		return;
	say(name, ms, n, budget);
	say(of_cpu, cpu, n, "of the above");
	free(of_cpu);
}

struct usage { double cpu; long switches; long rss; };

static struct usage usage_of(pid_t pid)
{
	struct usage u = {0};
	char path[64], line[512];
	unsigned long user = 0, sys = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "r");
	if (f && fgets(line, sizeof(line), f))
		sscanf(strrchr(line, ')') + 1, " %*c %*d %*d %*d %*d %*d %*u "
		       "%*u %*u %*u %*u %lu %lu", &user, &sys);
	if (f)
		fclose(f);
	u.cpu = (double)(user + sys) / (double)sysconf(_SC_CLK_TCK);
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		long v;

		if (sscanf(line, "VmRSS: %ld", &v) == 1)
			u.rss = v;
		if (sscanf(line, "voluntary_ctxt_switches: %ld", &v) == 1)
			u.switches = v;
	}
	if (f)
		fclose(f);
	return u;
}

static void bench_rest(char *gemmviz)
{
	char *argv[] = { gemmviz, "--lesson", "coalescing", NULL };
	struct run r = start(argv, 120, 36);
	struct usage before, after;

	settle(&r, NULL, 1000, 10);
	before = usage_of(r.pid);
	sleep(5);
	after = usage_of(r.pid);
	printf("paused-wake-ups %ld in 5 s, budget 0\n",
	       after.switches - before.switches);
	printf("paused-cpu %.2f s in 5 s, budget 0\n",
	       after.cpu - before.cpu);
	stop(&r);
}

/* From the key that opens the help, while pictures move, to its words. */
static void bench_moving_keys(struct run *r)
{
	double ms[40], cpu[40];
	int n = 0;

	for (int i = 0; i < 40; i++) {
		double before = computed(r->pid), sent = now(), shown;

		if (write(r->fd, "?", 1) < 0)
			break;
		shown = settle(r, "redraw", 0, 1);
		if (shown >= 0) {
			cpu[n] = computed(r->pid) - before;
			ms[n++] = (shown - sent) * 1e3;
		}
		if (write(r->fd, "?", 1) < 0)
			break;
		settle(r, NULL, 5, 0.1);
	}
	if (!n)
		return;
	say("key-to-frame-moving-200x60", ms, n, "budget 1 and 5");
	say("key-to-frame-moving-200x60-cpu", cpu, n, "of the above");
}

/* Plays at `keys` from four steps a second on. */
static void bench_play(char *gemmviz, const char *keys, const char *name)
{
	char *argv[] = { gemmviz, "view", "float4", NULL };
	struct run r = start(argv, 200, 60);
	struct usage before, after;
	double begun, seconds;

	settle(&r, NULL, 1000, 10);
	if (write(r.fd, keys, strlen(keys)) < 0)
		return;
	settle(&r, NULL, 5, 1);
	before = usage_of(r.pid);
	r.bytes = 0;
	begun = now();
	while ((seconds = now() - begun) < 6)
		settle(&r, NULL, 5, 0.1);
	after = usage_of(r.pid);
	printf("%s-200x60-cpu %.1f %% of a core, budget 15\n", name,
	       100 * (after.cpu - before.cpu) / seconds);
	printf("%s-200x60-bytes %.0f a frame, budget 8192\n", name,
	       (double)r.bytes / (seconds * 30));
	if (strlen(keys) == 1)
		bench_moving_keys(&r);
	stop(&r);
}

static void bench_large(char *gemmviz)
{
	char *argv[] = { gemmviz, "view", "float4", "-m", "128", "-n", "128",
			 "-k", "128", NULL };
	struct run r = start(argv, 120, 36);
	double ms[100];
	char keys[32];
	int n = 0;

	settle(&r, "step", 1000, 60);
	srand(1);
	for (int i = 0; i < 100; i++) {
		double sent, shown;

		/* "go to" opens first, then the step is reached. */
		snprintf(keys, sizeof(keys), "g%d", 1 + rand() % 9000);
		if (write(r.fd, keys, strlen(keys)) < 0)
			break;
		settle(&r, NULL, 20, 1);
		sent = now();
		if (write(r.fd, "\r", 1) < 0)
			break;
		/* The frame; the numbers in the source line follow when
		 * the recorder has run that far again. */
		shown = settle(&r, NULL, 3, 1);
		if (shown >= 0)
			ms[n++] = (shown - sent) * 1e3;
		settle(&r, NULL, 100, 0.12);
	}
	if (n)
		say("scrub-10M-events", ms, n,
		    "budget 10");
	printf("memory-10M-events %ld kB, budget 65536\n",
	       usage_of(r.pid).rss);
	stop(&r);
}

int main(int argc, char **argv)
{
	static const char *const arrows[2] = { "\033OC", "\033OD" };
	static const char *const rows[2] = { "\033OB", "\033OA" };
	char *view[] = { argc > 1 ? argv[1] : NULL, "view", "float4", NULL };
	char *rival[] = { argc > 2 ? argv[2] : NULL, NULL };

	if (argc < 2) {
		fprintf(stderr, "usage: screen_bench GEMMVIZ [RIVAL]\n");
		return 2;
	}
	bench_start(argv[1]);
	bench_keys(view, "key-to-frame-120x36", "step", arrows,
		   "budget 1 and 5");
	if (argc > 2)
		bench_keys(rival, argv[2], "Load", rows, "the rival");
	bench_rest(argv[1]);
	bench_play(argv[1], " ", "moving");
	bench_play(argv[1], "+++ ", "playing");	/* 8, 16, 32 a second */
	bench_large(argv[1]);
	return 0;
}
