/*
 * run: runs the machine code of a kernel on this processor, a warp instruction
 * at a time, and costs each access by the model of hardware/access.h.
 *
 * Of the lanes of a warp those at the lowest address go first; lanes wait for
 * each other at BSYNC, WARPSYNC and BAR as on the hardware. Blocks run one
 * after the other. Nothing is known of time.
 *
 * Known are the instructions of sm_75, sm_80 and sm_90 that run_table.c lists.
 * One that is not stops the run with a reason; so do an address that is in no
 * array, a barrier that nobody passes, and too many instructions.
 */
#ifndef MACHINE_RUN_H
#define MACHINE_RUN_H

#include "hardware/access.h"
#include "machine/sass.h"

#define RUN_BANKS 8
/* Where a block's shared memory begins in the addresses of its code. */
#define RUN_SHARED_90 0x400

/* Memory at the addresses from base on; a pointer that points behind it is
 * wrong. */
struct run_memory {
	uint64_t base, bytes;
	uint8_t *data;
};

struct run_bank { const uint8_t *data; uint32_t bytes; };

struct run_launch {
	const struct sass *sass;
	uint32_t arch;			/* 75, 80, 86, 87, 89 or 90 */
	struct trace_dim grid, block;
	uint32_t shared_bytes;		/* of a block, static and dynamic */
	uint32_t local_bytes;		/* of a thread */
	/* The parameters as the code reads them, from its first on. */
	const uint8_t *parameters;
	uint32_t parameter_bytes;
	struct run_bank banks[RUN_BANKS];	/* of constants; 0 is unused */
	const struct run_memory *memory;	/* ascending, borrowed */
	size_t memory_count;
	uint64_t steps_most;		/* warp instructions of the whole run */
};

enum run_space { RUN_GLOBAL, RUN_SHARED, RUN_LOCAL, RUN_SPACES };

/* What one access of an instruction came to, over all warps. */
struct run_count {
	enum run_space space;
	uint64_t requests;		/* with at least one lane */
	uint64_t lanes;			/* their lanes */
	uint64_t sectors, ideal_sectors;		/* global */
	uint64_t wavefronts, ideal_wavefronts;		/* shared */
	uint32_t max_way;
};

/* A kind of access that was made at least once by a warp. */
struct run_event {
	uint32_t instruction;
	uint32_t warp;
	uint32_t phase;		/* barriers that the warp has met; for run_watch
				   alone */
	enum run_space space;
	enum op op;			/* OP_LD or OP_ST */
	bool atomic, matrix;		/* matrix: LDSM, STSM */
	uint32_t bytes;			/* for each lane */
	uint32_t mask;
	const uint32_t *offset;		/* bytes from base, one a lane */
	uint64_t base;
};

struct machine_run;

/* Reads what the instructions mean. NULL with e (EXIT_INPUT) for an
 * architecture that is not covered. The launch is copied, what it points to is
 * borrowed. */
struct machine_run *run_new(const struct run_launch *l, struct error *e);
void run_free(struct machine_run *r);

/* Gets each different access of a block when it has run, or earlier; each at
 * least once. */
typedef void run_seen(void *ctx, const struct run_event *event);

/* Runs a block, by its linear index. -1 with e (EXIT_CHECK), the reason, which
 * is translated. */
int run_block(struct machine_run *r, uint32_t block, run_seen *seen, void *ctx,
	      struct error *e);

/* Gets each access of one warp of each block in the order in which it makes
 * them. */
struct run_watch { run_seen *seen; void *ctx; uint32_t warp; };
void run_follow(struct machine_run *r, const struct run_watch *w);
/* Returns the barriers that a warp has met in the last block. */
uint32_t run_phases(const struct machine_run *r, uint32_t warp);

/* Returns the counts of an instruction: [0] of its access, [1] of what LDGSTS
 * stores. */
const struct run_count *run_counts(const struct machine_run *r, uint32_t instruction);
/* Returns how often warps executed an instruction with at least one lane. */
uint64_t run_executed(const struct machine_run *r, uint32_t instruction);
/* Returns the warp instructions that were issued. */
uint64_t run_steps(const struct machine_run *r);
/* Tests whether products of tensor cores were left out, so that values are not
 * those of the hardware. */
bool run_left_out(const struct machine_run *r);
/* Returns the space of an instruction's access; false: it makes none. */
bool run_access_space(const struct sass_instruction *i, enum run_space *space,
		      enum op *op);
/* Tests whether an opcode is one that runs. */
bool run_knows(const struct sass_instruction *i);

#endif
