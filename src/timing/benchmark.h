/*
 * benchmark: kernels timed against each other and against cuBLAS: what is to
 * run, and the run itself, by a runner or played from a recording, as a timing
 * that fills. Knows no screen.
 */
#ifndef TIMING_BENCHMARK_H
#define TIMING_BENCHMARK_H

#include <poll.h>

#include "runner/runner.h"
#include "timing/timing.h"

/* What is to run. */
struct benchmark_plan {
	struct job_time job;
	/* Named by the user: a recording must have them. */
	bool kernels, sizes;
};
void benchmark_plan_init(struct benchmark_plan *p);
void benchmark_plan_done(struct benchmark_plan *p);
/* A copy, from a lesson's to a reader's. */
struct benchmark_plan benchmark_plan_copy(const struct benchmark_plan *p);
/* "tiled", "tiled:TILE=32", "cublas-tf32"; -1 with e (EXIT_USAGE). */
int benchmark_add(struct benchmark_plan *p, const char *word, struct error *e);
/* A kernel as a job has it; taken. */
int benchmark_add_case(struct benchmark_plan *p, struct job_kernel *what,
		       struct error *e);
/* "4096" or "4096x64x128". */
int benchmark_add_size(struct benchmark_plan *p, const char *word,
		       struct error *e);
/*
 * Whatever was not named: all kernels of the table with their default
 * parameters (a tile's sizes all of them) and all of cuBLAS, or behind named
 * kernels cuBLAS fp32 and those that they are held to; 1024, 2048 and 4096.
 */
void benchmark_plan_complete(struct benchmark_plan *p);

/*
 * The newest race in a folder's files that has what the plan names, cut down
 * to that; the plan need not be complete. NULL with e when none does.
 */
struct timing *benchmark_find(const char *folder,
			      const struct benchmark_plan *p, struct error *e);
/* The same of one file's; t is taken. */
struct timing *benchmark_fit(struct timing *t, const struct benchmark_plan *p,
			     struct error *e);
/* Recorded races, newest first; of the same day, last name first. */
struct benchmark_shelf {
	struct timing **races;
	size_t count;
};
/* What a folder has; e tells of the last file that is none. */
struct benchmark_shelf benchmark_shelf_read(const char *folder,
					    struct error *e);
void benchmark_shelf_done(struct benchmark_shelf *s);
/*
 * FLOP a byte of DRAM traffic, from the newest that has it of the same GPU,
 * kernel text, parameters and size, and when that was, borrowed; NA: none.
 */
double benchmark_shelf_intensity(const struct benchmark_shelf *s,
				 const struct timing *t, size_t size,
				 size_t case_at, const char **date);
/* The index of one of the plan's cases, or -1. */
long benchmark_case(const struct timing *t, const struct job_kernel *what);
/* The texts of today's kernels are other than those that were timed. */
bool benchmark_text_changed(const struct timing_case *n);

/* A run. */
struct benchmark {
	struct timing *timing;	/* so far */
	struct error error;	/* text not empty: how it ended early */
	bool paused;
	double silence;		/* seconds without a word: it hangs */
	size_t repeat;		/* samples of each that were asked for */
	/* When the timing is done the DRAM traffic of each kernel is asked
	 * for, too: set before the first step. Why there is none, or no
	 * text; the times stand: */
	bool counters;
	struct error counters_error;

	struct timing *whole;	/* played from here; NULL: a runner's */
	double pace, credit;	/* samples a second; a sample's part */
	struct runner *runner;	/* NULL: played, ended or lost */
	long counters_id;	/* asked for now; 0: paused, or not yet */
	size_t counted;		/* results that were looked at */
	double heard;
	bool more;		/* what it said is not all looked at yet */
};

/* argv as runner_start; NULL: gemmviz-gpu beside us, EXIT_GPU when there is
 * none. The job is borrowed. */
struct benchmark *benchmark_start(const struct job_time *job,
				  char *const *argv, struct error *e);
struct benchmark *benchmark_play(struct timing *whole);	/* taken */
void benchmark_free(struct benchmark *r);		/* kills its runner */

bool benchmark_over(const struct benchmark *r);
/* The timing is done, the counting is not. */
bool benchmark_counting(const struct benchmark *r);
void benchmark_pause(struct benchmark *r, bool paused);
/* Asks it to end with what there is. */
void benchmark_cancel(struct benchmark *r);
/* For poll(): at most two descriptors; how many were filled. */
size_t benchmark_fds(const struct benchmark *r, struct pollfd *fds);
/* Milliseconds after which benchmark_step() has something to say even if
 * nothing arrives; -1: none. */
int benchmark_patience(const struct benchmark *r);
/* Does what can be done without waiting; true when something changed. */
bool benchmark_step(struct benchmark *r);
/* A recording goes on for so many seconds; true when something changed. */
bool benchmark_tick(struct benchmark *r, double seconds);

#endif
