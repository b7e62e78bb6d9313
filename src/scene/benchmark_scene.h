/*
 * benchmark_scene: what is on stage in a race, as plain data: a row for each
 * case at one size. Views draw it and compute nothing.
 */
#ifndef SCENE_BENCHMARK_SCENE_H
#define SCENE_BENCHMARK_SCENE_H

#include "timing/benchmark.h"

struct benchmark_row {
	char letter;			/* its sign in the roofline */
	const char *label;
	const char *idea;		/* the kernel's, not translated; NULL */
	bool baseline, cublas;		/* cublas: the race's, timing.h */
	const char *held;		/* "cuBLAS fp16": whose share; NULL */
	bool on;			/* it is to race */
	bool here;			/* it is in this run */
	bool earlier;			/* it was timed with another text */
	enum timing_state state;
	const char *why;
	struct timing_figures figures;
	double share;			/* of its FLOP/s; NA */
	double spread;			/* (high - low) / median; NA */
	double intensity, error, bound, registers, shared_bytes;	/* NA */
	const char *intensity_date;	/* an earlier race's; NULL: its own */
	const char *reference;
	char tuned[256];		/* " NAME=VALUE ...", or "" */
	size_t samples;
};

enum benchmark_page { BENCHMARK_BARS, BENCHMARK_ROOFLINE, BENCHMARK_DETAILS,
		      BENCHMARK_PAGES };

struct benchmark_scene {
	struct benchmark_row rows[TIMING_MAX_CASES];
	size_t row_count, chosen;
	struct problem_sizes size;
	size_t size_index, size_count;
	const struct timing_machine *machine;
	double now_mhz, watts, celsius;		/* NA */
	int place;			/* in the queue; -1 */
	char waiting[200];		/* what a runner says before its hello */
	const char *date, *from;	/* of a recording; NULL: live */
	double scale;			/* FLOP/s where the bars end; NA */
	double cublas;			/* FLOP/s of the race's; NA */
	const char *cublas_label;
	/* The machine's; NA: not known, or no halves race. */
	double peak_flops, tensor_flops, peak_bytes;
	/* Results of this run: those that are settled, of all; and how much of
	 * the whole is done, 0 to 1. */
	size_t settled, results;
	double part;
	const char *running;		/* what was sampled last, or NULL */
	struct problem_sizes running_size;
	size_t running_samples, running_of;
	bool over, paused;
	bool counts;			/* DRAM traffic is still to come */
	const char *counting;		/* whose is counted now, or NULL */
	struct problem_sizes counting_size;
	const char *uncounted;		/* why there is none, or NULL */
	const char *error;		/* how it ended early, or NULL */
	enum exit_status status;	/* what that leads to */
	enum benchmark_page page;
};

/*
 * all: every case there is to choose from, and all sizes; at[i] says
 * which case of the run case i is, -1: none. Those pointers stay the
 * caller's and must outlive the scene.
 */
struct benchmark_choice {
	const struct timing *all;
	const struct benchmark_shelf *shelf;	/* for what is not counted; NULL */
	long at[TIMING_MAX_CASES];
	bool on[TIMING_MAX_CASES];
	bool earlier[TIMING_MAX_CASES];
	size_t size, chosen;
	enum benchmark_page page;
};
void benchmark_scene_fill(struct benchmark_scene *s, const struct benchmark *r,
			  const struct benchmark_choice *c);
/* The size whose result was sampled last. */
size_t benchmark_running_size(const struct benchmark *r);

#endif
