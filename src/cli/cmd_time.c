/* gemmviz time: runs a race without a screen, and prints a table or data. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "base/lang.h"
#include "cli/benchmark_options.h"
#include "cli/program_options.h"
#include "cli/time_program.h"
#include "cli/time_table.h"
#include "base/text.h"
#include "timing/timing_json.h"
#include "timing/tune.h"
#include "timing/tuned.h"

/* Seconds for a runner to end with what it has when it is asked to. */
#define GOODBYE 0.5
#define CLEAR_LINE "\r\033[K"

enum { OPT_OUTPUT = 'o', OPT_COUNTERS = OPTION_OWN, OPT_TUNE, OPT_RANGE };

struct time_arguments {
	struct benchmark_options race;
	struct launch_options program;
	const char *output;
	bool force, json, counters, tune, range;
};

static volatile sig_atomic_t interrupted;

static void on_signal(int signal)
{
	interrupted = signal;
}

/* ---- the run ---- */

static void say_progress(const struct benchmark *r, bool terminal, int *place)
{
	const struct timing *t = r->timing;
	size_t last;

	if (t->place >= 0 && t->place != *place)
		fprintf(stderr, ngettext("gemmviz: waiting for the GPU: %d run "
					 "is ahead of this one\n",
					 "gemmviz: %d runs are ahead of this "
					 "one on the GPU\n",
					 (unsigned)t->place), t->place);
	*place = t->place;
	if (!terminal || !t->order_count)
		return;
	last = t->order[t->order_count - 1];
	fputs(CLEAR_LINE, stderr);
	fprintf(stderr, _("%s, %dx%dx%d: sample %zu"),
		t->cases[last % t->case_count].label,
		t->sizes[last / t->case_count].m,
		t->sizes[last / t->case_count].n,
		t->sizes[last / t->case_count].k,
		t->results[last].sample_count);
}

/* Holds back signals except while waiting, so that none is missed. */
static void hold_signals(sigset_t *waiting)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = on_signal };
	sigset_t held;

	sigemptyset(&held);
	for (size_t i = 0; i < LENGTH(signals); i++) {
		sigaddset(&held, signals[i]);
		sigaction(signals[i], &act, NULL);
	}
	sigprocmask(SIG_BLOCK, &held, waiting);
	for (size_t i = 0; i < LENGTH(signals); i++)
		sigdelset(waiting, signals[i]);
}

/* Waits for the race's next word; false: not within the time. */
static bool wait_word(struct benchmark *r, int patience,
		      const sigset_t *waiting)
{
	struct timespec limit = { patience / 1000,
				  patience % 1000 * 1000000L };
	struct pollfd fds[2];
	nfds_t n = benchmark_fds(r, fds);
	int found = ppoll(fds, n, patience < 0 ? NULL : &limit, waiting);

	if (found < 0 && errno != EINTR)
		fatal("poll: %m");
	return found != 0;
}

static void measure_race(struct benchmark *r)
{
	bool terminal = isatty(STDERR_FILENO);
	sigset_t waiting;
	int place = -1;

	hold_signals(&waiting);
	benchmark_step(r);
	while (!benchmark_over(r) && !interrupted) {
		say_progress(r, terminal, &place);
		wait_word(r, benchmark_patience(r), &waiting);
		benchmark_step(r);
	}
	if (!benchmark_over(r)) {
		double until = seconds_now() + GOODBYE;
		int by = interrupted;

		benchmark_cancel(r);
		interrupted = 0;
		do
			benchmark_step(r);
		while (!benchmark_over(r) && !interrupted &&
		       seconds_now() < until &&
		       wait_word(r, (int)(GOODBYE * 1000), &waiting));
		interrupted = by;
	}
	if (terminal)
		fputs(CLEAR_LINE, stderr);
}

/* ---- print the result ---- */

/* Writes a timing as one line of JSON. Returns -1 with e. */
static int write_timing_json(const json_t *j, const char *path, bool force,
			     struct error *e)
{
	char *text = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(9));
	char *line = xasprintf("%s\n", text);
	int status = file_out_text(path, line, force, e);

	free(line);
	free(text);
	return status;
}

static int print_timing(const struct time_arguments *a, const struct timing *t,
			struct error *e)
{
	json_t *j = timing_json(t);
	int status = 0;

	if (a->output)
		status = write_timing_json(j, a->output, a->force, e);
	if (a->json && !status)
		status = write_timing_json(j, "-", false, e);
	else if (!status && (!a->output || strcmp(a->output, "-")))
		time_table(t, a->range);
	json_decref(j);
	return status;
}

static bool any_failed(const struct timing *t)
{
	for (size_t i = 0; i < t->size_count * t->case_count; i++)
		if (t->results[i].state == TIMING_FAILED)
			return true;
	return false;
}

static bool any_known(const struct timing *t)
{
	for (size_t i = 0; i < t->size_count * t->case_count; i++)
		if (t->results[i].state != TIMING_WAITING)
			return true;
	return false;
}

/* Prints the results so far, even if the race failed. Returns the exit
 * status. */
static int conclude_race(const struct time_arguments *a, const struct timing *t,
			 const struct error *lost)
{
	struct error e;
	int status;

	if (any_known(t) && print_timing(a, t, &e))
		return command_failed(&e);
	status = command_flush(any_failed(t) ? EXIT_CHECK : EXIT_DONE);
	if (lost->text[0])
		status = command_failed(lost);
	return interrupted && status != EXIT_OUTPUT ? 128 + interrupted :
						      status;
}

/* Runs a race and prints it. *out, if not NULL, gets the timing, which the
 * caller frees. Returns an exit status. */
static int time_plan(const struct time_arguments *a, struct benchmark_plan *p,
		     struct timing **out)
{
	struct error e;
	struct benchmark *r;
	int status;

	benchmark_plan_complete(p);
	r = benchmark_start(&p->job, a->race.runner, &e);
	if (!r)
		return command_failed(&e);
	r->counters = a->counters;
	measure_race(r);
	if (r->counters_error.text[0])
		command_failed(&r->counters_error);
	status = conclude_race(a, r->timing, &r->error);
	if (out) {
		*out = r->timing;
		r->timing = NULL;
	}
	benchmark_free(r);
	return status;
}

static int time_now(struct time_arguments *a)
{
	return time_plan(a, &a->race.plan, NULL);
}

/* ---- tuning ---- */

static void print_best(const struct tuned_list *l, const char *path)
{
	printf(_("\nFastest parameters, saved in %s:\n"), text_show(path));
	for (size_t i = 0; i < l->count; i++) {
		const struct tuned_entry *n = &l->entries[i];
		char *words = timing_defines(&n->defines);

		printf("%s %dx%dx%d:%s\n", n->kernel, n->size.m, n->size.n,
		       n->size.k, words);
		free(words);
	}
	putchar('\n');
}

static int keep_best(const struct timing *t, const struct kernel *k)
{
	struct tuned_list best = tune_best(t, k);
	char *path = NULL;
	struct error e;
	int status = EXIT_DONE;

	if (best.count) {
		path = tuned_path(&e);
		if (!path || tuned_keep(&best, &e))
			status = command_failed(&e);
		else
			print_best(&best, path);
	}
	free(path);
	tuned_list_done(&best);
	return status;
}

static int tune_kernel(const struct time_arguments *a, const struct kernel *k)
{
	struct benchmark_plan p = benchmark_plan_copy(&a->race.plan);
	struct timing *t = NULL;
	struct error e;
	int status, kept;

	if (tune_add(&p, k, &a->race.own.defines, &e)) {
		benchmark_plan_done(&p);
		return command_failed(&e);
	}
	status = time_plan(a, &p, &t);
	/* The fastest of some is not yet the fastest. */
	kept = t && t->done && !interrupted ? keep_best(t, k) : EXIT_DONE;
	timing_free(t);
	benchmark_plan_done(&p);
	return status ? status : kept;
}

/* Runs the tuning of one kernel after the other; a wrong result does not stop
 * the next one. Returns an exit status. */
static int tune_kernels(const struct time_arguments *a, char **words, int count)
{
	int status = EXIT_DONE, all = EXIT_DONE;

	for (int i = 0; i < count; i++)
		if (!kernel_find(words[i]))
			return command_usage("time", "--tune takes only "
					     "kernels from gemmviz list");
	for (size_t i = 0; i < kernel_count; i++) {
		const struct kernel *k = &kernels[i];
		bool named = count == 0 && tune_any(k);

		for (int w = 0; w < count; w++)
			named |= !strcmp(words[w], k->name);
		if (!named)
			continue;
		status = tune_kernel(a, k);
		all = all ? all : status;
		if (status != EXIT_DONE && status != EXIT_CHECK)
			break;
	}
	return all;
}

static int time_recorded(struct time_arguments *a)
{
	const struct error none = { .text = "" };
	struct error e;
	struct timing *t = timing_read(a->race.from, &e);
	int status;

	if (t)
		t = benchmark_fit(t, &a->race.plan, &e);
	if (!t)
		return command_failed(&e);
	status = conclude_race(a, t, &none);
	timing_free(t);
	return status;
}

static int take_option(void *own, int id, const char *value,
		       struct error *e)
{
	struct time_arguments *a = own;

	switch (id) {
	case OPT_OUTPUT:
		a->output = value;
		return 0;
	case OPTION_FORCE:
		a->force = true;
		return 0;
	case OPTION_JSON:
		a->json = true;
		return 0;
	case OPT_COUNTERS:
		a->counters = true;
		return 0;
	case OPT_RANGE:
		a->range = true;
		return 0;
	case OPT_TUNE:
		a->tune = true;
		return 0;
	case 'I': case LAUNCH_TIMEOUT: case LAUNCH_UNCONFINED:
	case LAUNCH_NO_CACHE: case LAUNCH_WRITE: case LAUNCH_STANDARD: case LAUNCH_ARCH:
		return launch_option(&a->program, id, value, e);
	}
	return benchmark_option(&a->race, id, value, e);
}

/* Reads the options. Returns the status to end with, or -1 to go on. */
static int read_time_arguments(struct time_arguments *a,
			       const struct command *c, int argc, char **argv)
{
	struct error e;
	int status = command_options(c, argc, argv, take_option, a);

	if (status >= 0)
		return status;
	if (a->tune && (a->json || a->output || a->race.from))
		return command_usage("time", "--tune cannot be combined with "
				     "--json, -o or --from");
	if (a->tune)
		return tune_kernels(a, argv + optind, argc - optind);
	if (time_is_program(&a->race, argv + optind, argc - optind))
		return time_program(&(struct time_program) {
			.options = &a->race, .launch = &a->program,
			.output = a->output, .force = a->force,
			.json = a->json }, argv + optind, argc - optind);
	if (benchmark_options_kernels(&a->race, argv + optind, argc - optind,
				      &e))
		return command_failed(&e);
	return -1;
}

static int time_command(const struct command *c, int argc, char **argv)
{
	struct time_arguments a = {0};
	int status;

	benchmark_options_init(&a.race);
	launch_options_init(&a.program);
	status = read_time_arguments(&a, c, argc, argv);
	if (status < 0)
		status = a.race.from ? time_recorded(&a) : time_now(&a);
	benchmark_options_done(&a.race);
	launch_options_done(&a.program);
	return status;
}

static const struct option_def options[] = {
	{ "output", OPT_OUTPUT, "FILE",
	  N_("write JSON to this file; - is standard output") },
	{ "json", OPTION_JSON, NULL, N_("print JSON, with all samples") },
	{ "range", OPT_RANGE, NULL,
	  N_("also print the fastest and the slowest sample") },
	{ "counters", OPT_COUNTERS, NULL,
	  N_("also count the kernels' DRAM traffic") },
	{ "tune", OPT_TUNE, NULL,
	  N_("time all tile shapes of each kernel, and save the fastest for "
	     "each size") },
	{ NULL, 'I', "FOLDER",
	  N_("let a FILE.cu include files from this folder, too; its own "
	     "folder and those below it are always allowed. A file that a "
	     "program lacks is taken from its own folder only, and listed") },
	{ "std", LAUNCH_STANDARD, "c++17",
	  N_("C++ standard that a program is compiled with") },
	{ "arch", LAUNCH_ARCH, "sm_90",
	  N_("architecture of the GPU, or a card such as A100 or T4; features "
	     "that it lacks are refused (default sm_90)") },
	{ "allow-write", LAUNCH_WRITE, "FOLDER",
	  N_("let a program write files in this folder") },
	{ "timeout", LAUNCH_TIMEOUT, "S",
	  N_("time limit for compiling and loading a FILE.cu, in seconds "
	     "(default 60)") },
	{ "unconfined", LAUNCH_UNCONFINED, NULL,
	  N_("run a FILE.cu without the sandbox, with your rights") },
	{ "no-cache", LAUNCH_NO_CACHE, NULL,
	  N_("compile a FILE.cu again, and do not store the result") },
	{0}
};

static void print_rules(void)
{
	printf("\n%s\n", _("rules:"));
	printf("%s\n", _("  Every answer is checked; a kernel whose answer is "
			 "wrong does not race."));
	printf("%s\n", _("  sgemm and hgemm try tile shapes first, cublasLt its "
			 "algorithms; each takes its fastest."));
	printf("%s\n", _("  All warm up together, then each is sampled in turn, "
			 "in a new order each round."));
	printf("%s\n", _("  A sample is the mean of launches that follow one "
			 "another without a pause."));
	printf("%s\n", _("  The time shown is the median; where samples overlap "
			 "with those of cuBLAS, neither is faster."));
}

const struct command command_time = {
	.name = "time",
	.arguments = "[KERNEL|FILE.cu ...] [OPTIONS]\n"
		     "PROGRAM.cu... [OPTIONS] [ARGUMENTS OF THE PROGRAM]",
	.summary = N_("time kernels on the GPU and compare them with cuBLAS"),
	.about = N_("Runs kernels on the GPU, checks their results against a "
		    "reference, times them and compares them with cuBLAS. A "
		    "KERNEL is a name from gemmviz list, such as naive or "
		    "tiled:TILE=32, or cublas-fp32, cublas-tf32, cublas-fp16, "
		    "cublas-bf16, cublaslt-fp32 or cublaslt-fp16; by default, "
		    "all are timed. -D sets a tile shape of sgemm or hgemm. A "
		    "FILE.cu needs "
		    "--block, --grid and one --size. A FILE.cu with a main() "
		    "is run in the sandbox on the CPU, and each kernel that it "
		    "launches is timed with the data of that launch, next to "
		    "cuBLAS if it multiplies matrices. Exits with 1 if a "
		    "kernel fails or its result is wrong."),
	.more = print_rules,
	.examples = "naive tiled:TILE=32 cublas-fp32 --size 4096\n"
		    "naive --runner 'ssh HOST gemmviz-gpu'\n"
		    "matmul.cu 512 512 512",
	.options = { benchmark_option_defs, options, option_force },
	.run = time_command,
};
