/*
 * plan: a launch as requested: which kernel, its text and parameters, the shape
 * of grid and block, and which part of it to record. The same for every
 * recorder.
 */
#ifndef RECORD_PLAN_H
#define RECORD_PLAN_H

#include "kernels/kernels.h"
#include "protocol/job.h"
#include "protocol/shown_launch.h"

struct plan {
	struct job job;
	const struct kernel *kernel;	/* NULL: the reader's own text */
	int params[KERNEL_PARAMS];
	char *text;
	size_t length;
	struct trace_dim grid, block;
	/* as requested, or padded to whole tiles */
	struct problem_sizes size;
	/* The kernel's problem; for a reader's text the one that was requested,
	 * or the one that arguments_find() chooses. */
	const struct problem *problem;
	/* The kernel must compute this problem: another answer is an error. */
	bool held;
	/* The output begins as numbers, for the kernel reads it. */
	bool numbers;
	/* What the launch in the text passes. */
	struct shown_passed passed[SHOWN_PASSED];
	size_t passed_count;
	/* Bit i: the problem's array i is taken to be stored by columns, which
	 * decides its leading dimension. */
	unsigned by_columns;
	bool resized;	/* the sizes are neither the job's nor the text's */
};

/* Gives the text of a kernel of the table: a copy, or NULL with e. */
typedef char *(*plan_text)(const struct kernel *k, size_t *length,
			   struct error *e);
/* Reads the text from the kernel's file. */
char *plan_text_file(const struct kernel *k, size_t *length,
		     struct error *e);

/* Makes a plan of the job, which it takes over, and checks it against the table
 * of kernels. EXIT_USAGE with a sentence for a launch that is not possible. */
int plan_make(struct plan *p, struct job *job, plan_text text_of,
	      struct error *e);
void plan_done(struct plan *p);
/* Sets the shape of a kernel of the table for the job's sizes; -1 with e: it
 * refuses them. */
int plan_shape(struct plan *p, struct error *e);
/* Takes from the launch in the text, if the job says that it has one, what it
 * passes, and the shape where the job has that from there. `set`: values of its
 * variables, or NULL: then the shape stays. False: it shows no shape. */
bool plan_show(struct plan *p, const struct shown_names *set);
/* Returns the number of blocks that a trace has room for. */
uint64_t plan_blocks_most(const struct plan *p);
/* Checks that a trace has room for the warps to be recorded; -1 with e
 * (EXIT_USAGE). */
int plan_fits(const struct plan *p, struct error *e);

/* Returns the column of a whole word in a line of the text: of its nth
 * occurrence, from 0, counting round again if there are fewer. Comments do not
 * count. 0 when it does not occur. */
uint32_t plan_column(const struct plan *p, uint32_t line, const char *word,
		     uint32_t nth);

/* The name of a build of one of the table's kernels: the kernel's name, with
 * the parameters that its text uses and that differ from their defaults
 * ("tiled-TILE.32"). */
char *plan_build(const struct plan *p);
/* Returns the text that identifies a build: kernel text, definitions and, for a
 * user's text, the entry. The caller frees it. */
char *plan_key(const struct plan *p);

uint32_t plan_threads(const struct plan *p);	/* threads per block */
uint64_t plan_blocks(const struct plan *p);	/* blocks of the grid */
/* Returns the numbers of the blocks to record, ascending, each once; NULL for
 * all. */
uint32_t *plan_chosen(const struct plan *p, uint64_t *count);
/* Tests whether blocks, warps or memory spaces are left out of the trace. */
bool plan_partial(const struct plan *p);

/* Returns the blocks per cluster; 1 without clusters. */
uint32_t plan_cluster(const struct plan *p);
/* Sets the grid of a persistent kernel of which `resident` blocks run at once;
 * plan_make() has it run few. */
void plan_spread(struct plan *p, uint32_t resident);

/* Returns the bytes of shared memory that the launch gives a block. */
uint32_t plan_shared(const struct plan *p);
/* Sets the error for a thread that uses the extern __shared__ array `name` when
 * the launch gives none. Returns -1. */
int plan_shared_missing(const char *name, struct error *e);

/* Fills in all of a trace's info that is known before the launch, except the
 * arrays. */
void plan_info(const struct plan *p, const char *on, const char *device,
	       const char *entry, struct trace_info *info);

#endif
