/*
 * benchmark: kernels timed against each other and against cuBLAS: the plan of
 * what to run, and the run itself, on a runner or replayed from a recording,
 * which fills a timing. It knows nothing of the screen.
 */
#ifndef TIMING_BENCHMARK_H
#define TIMING_BENCHMARK_H

#include <poll.h>

#include "runner/runner.h"
#include "timing/timing.h"

/* The plan of a benchmark. */
struct benchmark_plan {
	struct job_time job;
	/* Set when the user named kernels or sizes: a recording must have
	 * them. */
	bool kernels, sizes;
};
void benchmark_plan_init(struct benchmark_plan *p);
void benchmark_plan_done(struct benchmark_plan *p);
/* Copies a plan, such as a lesson's to make the reader's. */
struct benchmark_plan benchmark_plan_copy(const struct benchmark_plan *p);
/* Adds a kernel by name: "tiled", "tiled:TILE=32", "cublas-tf32". -1 with e
 * (EXIT_USAGE). */
int benchmark_add(struct benchmark_plan *p, const char *word, struct error *e);
/* Adds a kernel in the form that jobs have; `what` is taken over. */
int benchmark_add_case(struct benchmark_plan *p, struct job_kernel *what,
		       struct error *e);
/* Adds a size: "4096" or "4096x64x128". */
int benchmark_add_size(struct benchmark_plan *p, const char *word,
		       struct error *e);
/*
 * Completes a plan with defaults for what was not named. Kernels: all kernels
 * of the table with their default parameters (but all tile sizes) and all of
 * cuBLAS; to named kernels, cuBLAS fp32 and their own baselines are added.
 * Sizes: 1024, 2048 and 4096.
 */
void benchmark_plan_complete(struct benchmark_plan *p);

/*
 * Merges the benchmarks in a folder's files (benchmark_merge()) and reduces
 * them to what the plan names; the plan need not be complete. NULL with e when
 * something is not there.
 */
struct timing *benchmark_find(const char *folder,
			      const struct benchmark_plan *p, struct error *e);
/* Reduces one file's benchmark in the same way; t is taken over. */
struct timing *benchmark_fit(struct timing *t, const struct benchmark_plan *p,
			     struct error *e);
/* Recorded benchmarks, newest first; those of one day by name, last name
 * first. */
struct benchmark_shelf {
	struct timing **races;
	size_t count;
};
/* Reads the benchmarks in a folder; e names the last file that is not one. */
struct benchmark_shelf benchmark_shelf_read(const char *folder,
					    struct error *e);
/*
 * Returns the GPU whose recorded benchmarks are shown, borrowed: the newest
 * whose name contains the words of benchmark_prefer_gpu(), ignoring case, else
 * the one with the most times, of equals the newest. NULL when the shelf is
 * empty or its GPU has no name.
 */
const char *benchmark_shelf_gpu(const struct benchmark_shelf *s);
void benchmark_prefer_gpu(const char *words);	/* borrowed; NULL: none */
/*
 * Merges the benchmarks: for each case and size the newest result, of the
 * newest text of the kernel, from the GPU that is shown. Kernels are in the
 * table's order, cuBLAS last. NULL when the shelf is empty.
 */
struct timing *benchmark_merge(const struct benchmark_shelf *s);
/* Merges the benchmarks in a folder, read once; NULL when there are none. */
const struct timing *benchmark_measured(const char *folder);
/* Returns the benchmarks that come with the program. The second function
 * returns the GPU that they are of. */
const struct timing *benchmark_shipped(void);
const char *benchmark_gpu(void);
void benchmark_shelf_done(struct benchmark_shelf *s);
/*
 * Returns the arithmetic intensity, FLOP per byte of DRAM traffic, from the
 * newest benchmark that has it for the same GPU, kernel text, parameters and
 * size; NA when none has. Sets *date to the date of that benchmark, borrowed.
 */
double benchmark_shelf_intensity(const struct benchmark_shelf *s,
				 const struct timing *t, size_t size,
				 size_t case_at, const char **date);
/* Tests for the same kernel with the same values of all parameters, whether
 * stated or default. */
bool benchmark_same_case(const struct job_kernel *a,
			 const struct job_kernel *b);
/* Returns the index of the case of a kernel of the plan, or -1. */
long benchmark_case(const struct timing *t, const struct job_kernel *what);
/* Tests whether the kernel's text today differs from the text that was
 * timed. */
bool benchmark_text_changed(const struct timing_case *n);

/* A run of a benchmark. */
struct benchmark {
	struct timing *timing;	/* results so far */
	struct error error;	/* with a text: why the run ended early */
	bool paused;
	double silence;		/* seconds of silence until it hangs */
	size_t repeat;		/* samples requested of each case and size */
	/*
	 * Whether to count each kernel's DRAM traffic when the timing is done;
	 * set before the first step. counters_error says why nothing was
	 * counted, or has no text; the times are valid either way.
	 */
	bool counters;
	struct error counters_error;

	struct timing *whole;	/* replayed recording; NULL: a runner's */
	double pace, credit;	/* samples per second; part of one due */
	/* Samples replayed at that pace; those after them come at once. */
	size_t lead;
	struct runner *runner;	/* NULL: replayed, ended or lost */
	long counters_id;	/* under way; 0: paused, or not yet */
	size_t counted;		/* results that were processed */
	double heard;
	bool more;		/* messages are left to process */
};

/* Starts a run; argv as for runner_start(), NULL: gemmviz-gpu, found beside
 * this program, EXIT_GPU when it does not exist. The job is borrowed. */
struct benchmark *benchmark_start(const struct job_time *job,
				  char *const *argv, struct error *e);
struct benchmark *benchmark_play(struct timing *whole);	/* taken over */
void benchmark_free(struct benchmark *r);		/* kills its runner */

bool benchmark_over(const struct benchmark *r);
/* Tests whether the timing is done but the counting is not. */
bool benchmark_counting(const struct benchmark *r);
void benchmark_pause(struct benchmark *r, bool paused);
/* Asks the runner to end with the results so far. */
void benchmark_cancel(struct benchmark *r);
/* Fills in the descriptors for poll(), at most two; returns how many. */
size_t benchmark_fds(const struct benchmark *r, struct pollfd *fds);
/* Returns the milliseconds after which benchmark_step() has something to report
 * even if nothing arrives; -1 for never. */
int benchmark_patience(const struct benchmark *r);
/* Processes all that has arrived, without blocking; true when something
 * changed. */
bool benchmark_step(struct benchmark *r);
/* Advances a replay by `seconds`; true when something changed. */
bool benchmark_tick(struct benchmark *r, double seconds);

#endif
