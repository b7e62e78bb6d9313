/*
 * benchmark_scene: what a race shows, as plain data: a row for each case, at
 * one size. Views draw it and compute nothing.
 */
#ifndef SCENE_BENCHMARK_SCENE_H
#define SCENE_BENCHMARK_SCENE_H

#include "timing/benchmark.h"

/* The access pattern that explains a kernel's bar. */
enum benchmark_pattern {
	PATTERN_UNKNOWN,
	PATTERN_CONFLICTS,	/* a load of `array` takes `n` wavefronts */
	PATTERN_SCATTERED,	/* a load of `array` takes `n` sectors */
	PATTERN_COALESCED,	/* it takes `n`, and no fewer would do */
	PATTERN_SHARED,		/* `n` products for a value from shared */
	PATTERN_REUSE,		/* a value from global serves `n` products */
};
enum benchmark_unit { UNIT_NONE, UNIT_TENSOR, UNIT_FMA, UNIT_L1, UNIT_L2,
		      UNIT_DRAM };
struct benchmark_reason {
	enum benchmark_pattern pattern;	/* of the model, in a recording */
	double n;
	const char *array;
	bool bad;
	enum benchmark_unit unit;	/* the busiest that was counted */
	double busy, issue;	/* 0 to 1 of what they could do; NA */
};

struct benchmark_row {
	size_t index;			/* the case */
	char letter;		/* its mark in bars and roofline */
	const char *name, *label;	/* the kernel's; with parameters */
	/* Its name, with the parameters in which it differs from other rows of
	 * its kernel. */
	char called[96];
	/* The rung below, as it is called here, and how many times as fast this
	 * one is; "", NA: it is not in the race. */
	char below[96];
	double factor;
	struct benchmark_reason reason;
	const char *date, *from;	/* whose result it is; NULL: the run's */
	const double *sample;		/* its samples, borrowed */
	const char *idea;		/* the kernel's, not translated; NULL */
	bool baseline, cublas;	/* cublas: the race's cuBLAS, see timing.h */
	const char *held;		/* whose share: "cuBLAS fp16"; NULL */
	bool on;			/* chosen to race */
	bool here;			/* it is in this run */
	bool never;	/* nothing more comes: what is waited for, too */
	bool earlier;	/* timed with another version of its text */
	enum timing_state state;
	const char *why;
	struct timing_figures figures;
	double share;			/* share of held's FLOP/s; NA */
	double spread;			/* (high - low) / median; NA */
	double intensity, error, bound, registers, shared_bytes;	/* NA */
	/* date, if an earlier race's; NULL: its own */
	const char *intensity_date;
	const char *reference;
	char tuned[256];		/* " NAME=VALUE ...", or "" */
	size_t samples;
};

/* Which kernels are shown: those of a group have one scale. */
enum benchmark_group { GROUP_ALL, GROUP_FLOAT, GROUP_TENSOR };

enum benchmark_page { BENCHMARK_BARS, BENCHMARK_ROOFLINE, BENCHMARK_DETAILS,
		      BENCHMARK_PAGES };

struct benchmark_scene {
	struct benchmark_row rows[TIMING_MAX_CASES];
	size_t row_count;
	size_t chosen;			/* of the rows */
	enum benchmark_group group;
	bool groups, variants;	/* there are others to change to */
	struct problem_sizes size;
	size_t size_index, size_count;
	const struct timing_machine *machine;
	double now_mhz, watts, celsius;		/* NA */
	int place;			/* in the queue; -1 */
	char waiting[200];		/* said by a runner before its hello */
	const char *date, *from;	/* a recording's; NULL: live */
	bool live;			/* samples come in now */
	double scale;			/* FLOP/s where the bars end; NA */
	bool peak_scale;		/* ... which is the chip's limit */
	double cublas;			/* FLOP/s of the race's cuBLAS; NA */
	const char *cublas_label;
	/* The machine's peaks; NA: not known, or (tensor_flops) no case of
	 * 16-bit elements races. */
	double peak_flops, tensor_flops, peak_bytes;
	bool calibrated;		/* peak_bytes is what DRAM gave */
	/* The run's results: how many are settled, how many there are, and what
	 * part of the whole work is done, 0 to 1. */
	size_t settled, results;
	double part;
	const char *running;		/* what was sampled last, or NULL */
	struct problem_sizes running_size;
	size_t running_samples, running_of;
	bool over, paused;
	bool counts;	/* DRAM traffic is still to be counted */
	const char *counting;		/* the case being counted, or NULL */
	struct problem_sizes counting_size;
	const char *uncounted;		/* why nothing was counted, or NULL */
	const char *error;		/* why the race ended early, or NULL */
	enum exit_status status;	/* the exit status for error */
	enum benchmark_page page;
	bool presenter;		/* to be read from afar: few bars, large */
};

/* What the reader has chosen. all: every available case, and all sizes; at[i]:
 * the run's case that case i is, -1: none. The pointers stay the caller's and
 * must outlive the scene. */
struct benchmark_choice {
	const struct timing *all;
	/* Earlier races, for figures that this run does not count; NULL. */
	const struct benchmark_shelf *shelf;
	long at[TIMING_MAX_CASES];
	bool on[TIMING_MAX_CASES];
	bool earlier[TIMING_MAX_CASES];
	/* A kernel's best parameters are in another case. */
	bool variant[TIMING_MAX_CASES];
	enum benchmark_group group;
	bool variants;			/* these are shown, too */
	size_t size, chosen;
	enum benchmark_page page;
};
void benchmark_scene_fill(struct benchmark_scene *s, const struct benchmark *r,
			  const struct benchmark_choice *c);
/* The group of a case. */
enum benchmark_group benchmark_group_of(const struct timing_case *n);
/* Returns whether a case is among those that are shown. */
bool benchmark_shows(const struct benchmark_choice *c, size_t case_at);
/* Marks the cases of which the same kernel was faster with other parameters, at
 * the size that was sampled first. */
void benchmark_variants(struct benchmark_choice *c);
/* Finds out why a case is as fast as it is, from the counters measured at one
 * size. */
void benchmark_reason_fill(struct benchmark_reason *to,
			   const struct timing_case *n,
			   const struct timing_counts *counts,
			   const struct problem_sizes *size);
/* Returns the index of the size whose result was sampled last. */
size_t benchmark_running_size(const struct benchmark *r);

#endif
