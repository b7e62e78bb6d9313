/*
 * plan: a launch as it was asked for: which kernel, its text and parameters,
 * the shape of grid and block, what of it to record. The same for every
 * recorder.
 */
#ifndef RECORD_PLAN_H
#define RECORD_PLAN_H

#include "kernels/kernels.h"
#include "runner/job.h"

struct plan {
	struct job job;
	const struct kernel *kernel;	/* NULL: the reader's own text */
	int params[KERNEL_PARAMS];
	char *text;
	size_t length;
	struct trace_dim grid, block;
	struct problem_sizes size;	/* as requested, or padded to whole tiles */
	/* The kernel's; of a reader's text the one that was asked for, or what
	 * arguments_find() takes it for. */
	const struct problem *problem;
	/* It must be this one: another answer is a mistake. */
	bool held;
};

/* Where the text of the table's kernels comes from: a copy, or NULL with e. */
typedef char *(*plan_text)(const struct kernel *k, size_t *length,
			   struct error *e);
/* From its file. */
char *plan_text_file(const struct kernel *k, size_t *length,
		     struct error *e);

/*
 * Takes the job over and checks it against the table of kernels.
 * EXIT_USAGE with a sentence for what cannot be launched.
 */
int plan_make(struct plan *p, struct job *job, plan_text text_of,
	      struct error *e);
void plan_done(struct plan *p);

/*
 * Column of a whole word in a line of the text: its nth place from 0, begun
 * again when there are fewer. Comments do not count. 0: it is not there.
 */
uint32_t plan_column(const struct plan *p, uint32_t line, const char *word,
		     uint32_t nth);

/* What a build of the kernel is called: its name, with the parameters that
 * its text knows and whose values are not the default ("tiled-TILE.32"); the
 * table's kernels alone. */
char *plan_build(const struct plan *p);
/* What tells one build from another: text, definitions, a text's entry. */
char *plan_key(const struct plan *p);

uint32_t plan_threads(const struct plan *p);	/* of a block */
uint64_t plan_blocks(const struct plan *p);	/* of the grid */
/* The numbers of the blocks chosen, ascending, each once; NULL: all. */
uint32_t *plan_chosen(const struct plan *p, uint64_t *count);
/* True when blocks, warps or spaces are left out of the trace. */
bool plan_partial(const struct plan *p);

/* Blocks of a cluster, 1 where there are none. */
uint32_t plan_cluster(const struct plan *p);
/* Sets the grid of a persistent kernel of which so many blocks run at once;
 * plan_make() has it run few. */
void plan_spread(struct plan *p, uint32_t resident);

/* Bytes of shared memory that the launch gives a block. */
uint32_t plan_shared(const struct plan *p);

/* All of a trace's info that is known before the launch but the arrays. */
void plan_info(const struct plan *p, const char *on, const char *device,
	       const char *entry, struct trace_info *info);

#endif
