/*
 * Each command, with one allocation that fails (fail_malloc.c): once, or with
 * all that follow it, in the program itself or in its recorder. Then the command
 * gives what it gives otherwise, or fails and says so; it is not ended by a
 * signal, leaves nothing behind, and restores the terminal.
 *
 * A command's allocations are of kinds, by the functions that lead to them; of
 * each kind the first is made to fail. As a test it takes a sample of these:
 * OUT_OF_MEMORY_SECONDS long, by OUT_OF_MEMORY_SEED. `make out-of-memory` goes
 * through all of them; OUT_OF_MEMORY_ONLY=WORDS takes the commands with these
 * words, OUT_OF_MEMORY_SCREENS=1 those on a terminal, which take most of the
 * time, and OUT_OF_MEMORY_PART=3/10 each tenth kind, from the third on.
 * sanitized: never (it fails allocations itself)
 */
#include <config.h>

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pty.h"
#include "tap.h"

#define SHIM ABS_BUILDDIR "/tests/fail_malloc.so"
#define GEMMVIZ ABS_BUILDDIR "/gemmviz"
#define RUNNER ABS_BUILDDIR "/tests/fake_gpu"
#define SECONDS 45
#define TRY_SECONDS 20.0
#define WORDS 24

/* $T is the folder of the test. `keys` are sent on a terminal, each when the
 * screen is quiet; NULL: without a terminal. */
static const struct command {
	const char *line, *keys;
	bool recorder;		/* it fails there, too */
} commands[] = {
	{ "--version", NULL, false },
	{ "--help", NULL, false },
	{ "list --lang zh", NULL, false },
	{ "list --check " ABS_SRCDIR "/lessons/tiling.md", NULL, true },
	{ "report tiled --json -m 70 -n 40 -k 50", NULL, true },
	{ "report bug_edge", NULL, true },
	{ "report $T/own.cu --block 16x16 --grid 2x2 -m 32 -n 32 -k 32", NULL,
	  true },
	{ "report $T/a.gvt --lang zh", NULL, false },
	{ "record warptile -o $T/out.gvt --force", NULL, true },
	{ "dump $T/a.gvt", NULL, false },
	{ "dump --parse $T/a.txt -o $T/out.gvt --force", NULL, false },
	{ "provenance tiled 3,5 --json", NULL, true },
	{ "view tiled --plain", NULL, true },
	{ "--lesson tiling --plain", NULL, true },
	{ "--lesson tiling --plain --lang zh --notes", NULL, false },
	{ "drill sectors --plain --seed 3 --count 5", NULL, false },
	{ "drill --json --seed 3 --count 8", NULL, false },
	{ "class show monday --plain --class-folder $T", NULL, false },
	{ "time naive --size 64 --json --runner " RUNNER, NULL, false },
	{ "race --plain tiled --size 64 --runner " RUNNER, NULL, false },
	{ "access global 4 lane*8", NULL, false },
	{ "access shared 4 lane*132 --json", NULL, false },
	{ "occupancy --arch sm_90 --threads 256 --registers 64 --json", NULL,
	  false },
	{ "table tile-size --arch sm_80", NULL, false },
	{ "fragment m16n8k16.f16 A --json", NULL, false },
	{ "glossary bank", NULL, false },
	{ "run --json $T/prog.cu", NULL, true },
	{ "run $T/prog.cu 3", NULL, true },
	{ "report $T/prog.cu --lang zh", NULL, true },
	{ "diff tiled_bt tiled_bt_pad -m 32 -n 32 -k 32", NULL, true },
	{ "diff $T/a.gvt $T/b.gvt --json", NULL, false },
	{ "diff $T/a.gvt $T/b.gvt --lang zh", NULL, false },
	{ "calibrate --runner " RUNNER " -o $T/out.gvt --force", NULL, false },
	{ "calibrate --runner " RUNNER " --json", NULL, false },
	{ "export $T/a.gvt -o $T/out.gvt --force --format txt --steps 2-3",
	  NULL, false },
	{ "export $T/a.gvt -o $T/out.gvt --force --format ansi --steps 2-3",
	  NULL, false },
	{ "export $T/a.gvt -o $T/out.gvt --force --format svg --steps 2-3",
	  NULL, false },
	{ "export $T/a.gvt -o $T/out.gvt --force --format gif --steps 2-2",
	  NULL, false },
	{ "export $T/a.gvt -o $T/out.gvt --force --format html --steps 2-3",
	  NULL, false },
	{ "export $T/a.gvt -o $T/out.gvt --force --format cast --steps 2-3",
	  NULL, false },
	{ "export --lesson tiling -o $T/out.gvt --force --format md --step 2",
	  NULL, true },
	{ "doctor --json", NULL, true },
	{ "doctor --lang zh", NULL, false },
	{ "check $T/own.cu --rules $T/rules --sarif $T/out.gvt --force", NULL,
	  true },
	{ "check tiled $T/a.gvt --max-way 1 --junit $T/out.gvt --force --json",
	  NULL, true },
	{ "class show tuesday --csv --class-folder $T", NULL, false },
	{ "run --devices 2 --json $T/two.cu", NULL, true },
	{ "report --devices 2 $T/two.cu --lang zh", NULL, true },
	{ "record --devices 2 $T/two.cu -o $T/out.gvt --force", NULL, true },
	{ "time $T/prog.cu", NULL, false },
	{ "list --json", NULL, false },
	{ "class collect tuesday --class-folder $T", NULL, false },
	{ "time tiled:TILE=16 naive cublas-fp32 --size 128x64x80 --size 64 "
	  "--repeat 3 --seconds 0.5 --range --runner " RUNNER, NULL,
	  false },
	{ "time sgemm --tune --size 64 --runner " RUNNER, NULL, false },
	{ "time $T/own.cu --block 16x16 --grid 4x4 --size 64 --counters "
	  "--runner " RUNNER, NULL, false },
	{ "time --from " ABS_SRCDIR "/tests/race.json --json", NULL, false },
	{ "race --from " ABS_SRCDIR "/tests/race.json --plain", NULL, false },
	{ "", "\n\nQ", true },
	{ "--lesson tiling", "\n\033\nn?\033iqQ", true },
	{ "view sgemm", "lln\t\t/v\nvq", true },
	{ "drill sectors --seed 3", "1\n\nq", false },
	{ "race tiled --size 64 --runner " RUNNER, "rq", false },
	{ "race --from " ABS_SRCDIR "/tests/race.json --presenter", "r\t?qQ",
	  false },
	{ "watch $T/own.cu --block 16x16 --grid 2x2 -m 32 -n 32 -k 32", "q",
	  true },
	{ "view $T/prog.cu --watch", "l\tq", true },
	{ "view tiled_bt tiled_bt_pad", "ll\tq", true },
	{ "class show tuesday --class-folder $T", "q", false },
	{ "--lesson tiling --lead tuesday --class-folder $T --presenter",
	  "\n\033Q", true },
	{ "--lesson tiling --class tuesday --class-folder $T", "\nQ", false },
};

static char folder[64], out_file[80], list_file[80], said_file[80],
	work_folder[80];
static struct { long tries, same, errors, wrong; } sum;

static char *path_of(const char *name)
{
	return xasprintf("%s/%s", folder, name);
}

/* ---- one run ---- */

struct run {
	int status;		/* as of a shell; -1: it does not end */
	struct str out, err;
	const char *harm;	/* to the terminal; NULL: none */
	bool failed;		/* an allocation has failed */
};

static void run_done(struct run *r)
{
	str_done(&r->out);
	str_done(&r->err);
}

/* The command's words, in a text that is theirs. */
static void words_of(const char *line, const char *argv[WORDS], char **owned)
{
	struct str s = { 0 };
	size_t n = 0;

	for (const char *at = line; *at; at++)
		if (!strncmp(at, "$T", 2))
			str_add(&s, folder), at++;
		else
			str_addc(&s, *at);
	*owned = str_take(&s);
	argv[n++] = GEMMVIZ;
	for (char *w = strtok(*owned, " "); w && n < WORDS - 1;
	     w = strtok(NULL, " "))
		argv[n++] = w;
	argv[n] = NULL;
}

/* What is told to fail_malloc; `at` 0: to list. */
static void environment(char *env[8], const char *program, long at, bool ever)
{
	size_t n = 0;

	env[n++] = xstrdup("LD_PRELOAD=" SHIM);
	env[n++] = xasprintf("FAIL_PROGRAM=%s", program);
	env[n++] = xasprintf("TMPDIR=%s", work_folder);
	env[n++] = xasprintf("XDG_DATA_HOME=%s", folder);
	env[n++] = at ? xasprintf("FAIL_AT=%ld", at) :
			xasprintf("FAIL_LIST=%s", list_file);
	env[n++] = xasprintf("FAIL_SAID=%s", said_file);
	if (ever)
		env[n++] = xstrdup("FAIL_EVER=1");
	env[n] = NULL;
}

static void environment_done(char *env[8])
{
	for (size_t i = 0; env[i]; i++)
		free(env[i]);
}

static _Noreturn void become(const char *const argv[], char *env[8],
			     int out, int err)
{
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	for (size_t i = 0; env[i]; i++)
		putenv(env[i]);
	setsid();
	alarm((unsigned)TRY_SECONDS);
	execv(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

static void take(struct str *s, int *fd)
{
	char data[65536];
	ssize_t n = read(*fd, data, sizeof(data));

	if (n > 0) {
		str_addn(s, data, (size_t)n);
		return;
	}
	close(*fd);
	*fd = -1;
}

static void run_piped(struct run *r, const char *const argv[], char *env[8])
{
	int out[2], err[2], status;
	pid_t pid;

	if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		fatal("pipe: %s", strerror(errno));
	fflush(NULL);
	pid = fork();
	if (!pid)
		become(argv, env, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	while (out[0] >= 0 || err[0] >= 0) {
		struct pollfd p[2] = { { out[0], POLLIN, 0 },
				       { err[0], POLLIN, 0 } };

		poll(p, 2, -1);
		if (p[0].revents)
			take(&r->out, &out[0]);
		if (p[1].revents)
			take(&r->err, &err[0]);
	}
	waitpid(pid, &status, 0);
	r->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
					  WEXITSTATUS(status);
}

/* Until something has come. */
static void first_output(struct pty *p)
{
	for (int i = 0; i < PTY_MS / 20 && !p->out.len; i++)
		pty_read(p, 20);
}

/* Until nothing has come for a while. */
static void settle(struct pty *p)
{
	size_t before;

	do {
		before = p->out.len;
		pty_read(p, 60);
	} while (p->out.len != before);
}

static void run_screen(struct run *r, const char *const argv[], char *env[8],
		       const char *keys)
{
	struct pty_report report = { 0 };
	struct pty p;
	char key[2] = "";

	pty_start(&p, argv, (const char *const *)env, 100, 30);
	first_output(&p);
	for (; *keys; keys++) {
		settle(&p);
		key[0] = *keys;
		pty_send(&p, key);
	}
	r->status = -1;
	if (pty_wait(&p, &report)) {
		pty_read(&p, 20);
		r->status = WIFSIGNALED(report.status) ?
			128 + WTERMSIG(report.status) :
			WEXITSTATUS(report.status);
		r->harm = pty_not_restored(&p);
	}
	/* What is said stands there, too. */
	str_addn(&r->err, p.out.data ? p.out.data : "", p.out.len);
	pty_done(&p);
}

/* What it wrote to its file belongs to what it gave. */
static void add_file(struct str *s)
{
	struct error e;
	size_t n;
	char *text = file_read(out_file, 1 << 26, &n, &e);

	if (text)
		str_addn(s, text, n);
	free(text);
}

static struct run run(const struct command *c, const char *program, long at,
		      bool ever)
{
	const char *argv[WORDS];
	struct run r = { 0 };
	char *env[8], *owned;
	struct stat st;

	unlink(out_file);
	unlink(said_file);
	words_of(c->line, argv, &owned);
	environment(env, program, at, ever);
	if (c->keys)
		run_screen(&r, argv, env, c->keys);
	else
		run_piped(&r, argv, env);
	environment_done(env);
	free(owned);
	add_file(&r.out);
	r.failed = stat(said_file, &st) == 0 && st.st_size > 0;
	return r;
}

/* ---- what is right ---- */

static int entries;

static int count_entry(const char *path, const struct stat *st, int type,
		       struct FTW *at)
{
	(void)path;
	(void)st;
	(void)type;
	entries += at->level > 0;
	return 0;
}

/* Whether something is left, even after a while. */
static bool left(void)
{
	for (int i = 0; i < 40; i++) {
		entries = 0;
		nftw(work_folder, count_entry, 8, FTW_PHYS);
		if (!entries)
			return false;
		usleep(25000);
	}
	return true;
}

/* doctor says how many milliseconds its trials took: digits differ. */
static bool is_doctor(const struct command *c)
{
	return !strncmp(c->line, "doctor", 6);
}

/* Without a GPU a program is not timed. */
static bool is_timed(const struct command *c)
{
	return !strcmp(c->line, "time $T/prog.cu");
}

static const char *behind_digits(const char *s)
{
	return s + strspn(s, "0123456789");
}

static bool same_text(const char *a, const char *b, bool digits_differ)
{
	while (*a && *b) {
		if (digits_differ && isdigit((unsigned char)*a) &&
		    isdigit((unsigned char)*b)) {
			a = behind_digits(a);
			b = behind_digits(b);
		} else if (*a++ != *b++) {
			return false;
		}
	}
	return *a == *b;
}

static bool is_same(const struct command *c, const struct run *a,
		    const struct run *b)
{
	return a->status == b->status &&
	       same_text(a->out.data ? a->out.data : "",
			 b->out.data ? b->out.data : "", is_doctor(c));
}

static bool has(const struct str *text, const char *words)
{
	return text->data && strstr(text->data, words);
}

/* Whether it says that memory ran out. */
static bool says_why(const struct str *text)
{
	return has(text, "out of memory") || has(text, "内存不足") ||
	       has(text, "status 70");
}

/* What is wrong with it, whose own memory it was, or its recorder's; NULL:
 * nothing. */
static const char *wrong(const struct command *c, const struct run *r,
			 const struct run *should, bool ours)
{
	if (r->status < 0)
		return "it does not end";
	if (r->status >= 128)
		return "it is ended by a signal";
	if (r->harm)
		return "the terminal is not restored";
	if (left())
		return "something is left";
	/* What a screen says of a recorder that is lost, other keys may have
	 * covered. */
	if (c->keys && r->status == 0)
		return !r->failed || !ours ? NULL : "it goes on";
	if (!c->keys && is_same(c, r, should))
		return NULL;
	if (r->status == 0)
		return "its answer is another one";
	/* What doctor tells of a recorder stands on its page. */
	if (r->status == EXIT_CHECK)
		return is_doctor(c) && says_why(&r->out) ? NULL :
		       "a check fails";
	return says_why(&r->err) || says_why(&r->out) ? NULL :
	       "it gives another reason";
}

static void judge(const struct command *c, const char *program, long at,
		  bool ever, const struct run *should)
{
	struct run r = run(c, program, at, ever);
	const char *why = wrong(c, &r, should,
				!strcmp(program, "gemmviz"));

	sum.tries++;
	if (!why)
		sum.same += r.status == should->status;
	if (!why)
		sum.errors += r.status != should->status;
	if (why) {
		sum.wrong++;
		printf("# gemmviz %s: allocation %ld of %s%s: %s (status "
		       "%d): %.200s\n", c->line, at, program,
		       ever ? " and all after it" : "", why, r.status,
		       c->keys || !r.err.data ? "" : r.err.data);
	}
	run_done(&r);
}

/* ---- all of them ---- */

struct kinds {
	const struct command *command;
	const char *program;
	struct run should;
	long *at;
	size_t count, capacity;
};

static struct kinds kinds_of(const struct command *c, const char *program)
{
	struct kinds k = { .command = c, .program = program };
	FILE *f;
	long n;

	unlink(list_file);
	k.should = run(c, program, 0, false);
	f = fopen(list_file, "r");
	while (f && fscanf(f, "%ld", &n) == 1) {
		grow(&k.at, &k.capacity, k.count + 1, sizeof(*k.at));
		k.at[k.count++] = n;
	}
	if (f)
		fclose(f);
	tap_ok(k.count > 10 && !left() &&
	       (k.should.status == 0 || k.should.status == EXIT_CHECK ||
		(k.should.status == EXIT_GPU && is_timed(c))),
	       "gemmviz %s: %zu kinds of allocations in %s (status %d)",
	       c->line, k.count, program, k.should.status);
	return k;
}

static void sample(struct kinds *all, size_t count, uint64_t seed,
		   double seconds)
{
	double end = seconds_now() + seconds;

	for (uint64_t i = 0; seconds_now() < end; i++) {
		uint64_t r = random_at(seed, i);
		/* Each command as often as another, in turns. */
		struct kinds *k = &all[i % count];

		if (k->count)
			judge(k->command, k->program, k->at[r % k->count],
			      r >> 40 & 1, &k->should);
	}
}

static void whole(struct kinds *all, size_t count)
{
	const char *part = getenv("OUT_OF_MEMORY_PART");
	size_t first = 1, parts = 1;

	if (part && (sscanf(part, "%zu/%zu", &first, &parts) != 2 || !first ||
		     first > parts))
		fatal("OUT_OF_MEMORY_PART: expected 3/10, got %s", part);
	for (size_t i = 0; i < count; i++) {
		struct kinds *k = &all[i];
		long before = sum.wrong;

		/* A screen takes a second: each in one of the two ways. */
		for (size_t n = first - 1; n < k->count; n += parts) {
			if (!k->command->keys || n % 2)
				judge(k->command, k->program, k->at[n], true,
				      &k->should);
			if (!k->command->keys || n % 2 == 0)
				judge(k->command, k->program, k->at[n], false,
				      &k->should);
		}
		tap_is(sum.wrong, before, "gemmviz %s: %zu kinds in %s",
		       k->command->line, k->count, k->program);
	}
}

/* What the commands read. */
static const struct { const char *name, *text; } files[] = {
	{ "own.cu",
	  "__global__ void f(const float *A, const float *B, float *C, int M, "
	  "int N, int K)\n{\n\tint i = blockIdx.y * 16 + threadIdx.y, j = "
	  "blockIdx.x * 16 + threadIdx.x;\n\tfloat s = 0;\n\tfor (int k = 0; "
	  "k < K; k++)\n\t\ts += A[i * K + k] * B[k * N + j];\n\tC[i * N + j] "
	  "= s;\n}\n" },
	{ "prog.cu",
	  "#include <cstdio>\n#include <cstdlib>\n__global__ void f(float *x) "
	  "{ x[threadIdx.x] += 1; }\nint main(int argc, char **argv)\n{\n\t"
	  "int n = argc > 1 ? atoi(argv[1]) : 1;\n\tfloat *x;\n\tcudaMalloc("
	  "&x, 128);\n\tcudaMemset(x, 0, 128);\n\tfor (int i = 0; i < n; i++)"
	  "\n\t\tf<<<1, 32>>>(x);\n\tcudaDeviceSynchronize();\n\tprintf("
	  "\"%d\\n\", n);\n\tcudaFree(x);\n}\n" },
	{ "two.cu",
	  "#include <cstdio>\n#include <thread>\n__global__ void f(float *x) "
	  "{ x[threadIdx.x] += 1; }\nint main()\n{\n\tfloat *x[2];\n\tfor "
	  "(int i = 0; i < 2; i++)\n\t\tcudaSetDevice(i), cudaMalloc(&x[i], "
	  "128), f<<<1, 32>>>(x[i]);\n\tstd::thread t([&] { cudaMemcpyPeer("
	  "x[1], 1, x[0], 0, 128); });\n\tt.join();\n\t"
	  "cudaDeviceSynchronize();\n\tprintf(\"%d\\n\", 2);\n}\n" },
	{ "rules",
	  "max-way 2\nfile own.cu\nlaunch --block 16x16 --grid 1x1 -m 16 -n 16 "
	  "-k 16\nlaunch --block 16x16 --grid 2x2 -m 32 -n 32 -k 32\naccept "
	  "bank-conflict A: it is read once\n" },
};

static void files_make(void)
{
	char *command;
	struct error e;

	for (size_t i = 0; i < LENGTH(files); i++) {
		char *path = path_of(files[i].name);

		if (file_write(path, files[i].text, &e) < 0)
			fatal("%s", e.text);
		free(path);
	}
	command = xasprintf("cd %s && " GEMMVIZ " record tiled -m 20 -n 20 "
			    "-k 20 -o a.gvt >&2 && " GEMMVIZ " record "
			    "tiled_bt -m 32 -n 32 -k 32 -o b.gvt >&2 && "
			    GEMMVIZ " dump a.gvt >a.txt && for class in monday "
			    "tuesday; do " GEMMVIZ " class start $class "
			    "--class-folder . >&2 || exit; done", folder);
	if (system(command))
		fatal("%s", command);
	free(command);
}

static int remove_entry(const char *path, const struct stat *st, int type,
			struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

static size_t kinds_all(struct kinds *all)
{
	const char *only = getenv("OUT_OF_MEMORY_ONLY");
	bool screens = getenv("OUT_OF_MEMORY_SCREENS");
	size_t count = 0;

	for (size_t i = 0; i < LENGTH(commands); i++) {
		if ((only && !strstr(commands[i].line, only)) ||
		    (screens && !commands[i].keys))
			continue;
		all[count++] = kinds_of(&commands[i], "gemmviz");
		if (commands[i].recorder)
			all[count++] = kinds_of(&commands[i], "gemmviz-emu");
	}
	return count;
}

static long number(const char *name, long otherwise)
{
	const char *text = getenv(name);
	long v;

	return text && parse_int(text, 0, 1 << 30, &v) ? v : otherwise;
}

int main(void)
{
	static struct kinds all[2 * LENGTH(commands)];
	long seed = number("OUT_OF_MEMORY_SEED", 1);
	long seconds = number("OUT_OF_MEMORY_SECONDS", SECONDS);
	size_t count;

#ifdef SANITIZED
	tap_skip("allocations that fail", "a sanitizer allocates by itself");
	return tap_done();
#endif
	setvbuf(stdout, NULL, _IOLBF, 0);
	snprintf(folder, sizeof(folder), "/tmp/gemmviz-test-XXXXXX");
	if (!mkdtemp(folder))
		fatal("mkdtemp: %s", strerror(errno));
	snprintf(out_file, sizeof(out_file), "%s/out.gvt", folder);
	snprintf(list_file, sizeof(list_file), "%s/list", folder);
	snprintf(said_file, sizeof(said_file), "%s/said", folder);
	snprintf(work_folder, sizeof(work_folder), "%s/work", folder);
	mkdir(work_folder, 0700);
	files_make();
	count = kinds_all(all);
	if (seconds)
		sample(all, count, (uint64_t)seed, seconds);
	else
		whole(all, count);
	tap_is(sum.wrong, 0, "%ld tries with seed %ld: %ld as without, %ld "
	       "errors", sum.tries, seed, sum.same, sum.errors);
	for (size_t i = 0; i < count; i++) {
		run_done(&all[i].should);
		free(all[i].at);
	}
	nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	return tap_done();
}
