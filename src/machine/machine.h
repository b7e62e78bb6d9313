/*
 * machine: what the compiler made of a recorded launch: its machine code is run
 * with the recording's inputs (run.h), and held to the recording. Beside a
 * trace, never in it.
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "machine/run.h"

#define MACHINE_PARAMETERS 64
/* Sites that one access may stand for, of which the first are named. */
#define MACHINE_SITES 6

/* A kernel's machine code as a compiler made it. */
struct machine_code {
	struct sass *sass;
	char *compiler;		/* "NVRTC 13.5"; NULL: not known */
	uint32_t arch;		/* 90 */
	int registers;		/* of a thread; NA: not known */
	int spill_stores, spill_loads;	/* bytes; NA */
	uint32_t stack;		/* bytes of local memory of a thread */
	uint32_t shared;	/* static bytes of a block */
	struct { uint32_t offset, size; } parameters[MACHINE_PARAMETERS];
	uint32_t parameter_count, parameter_bytes;
	uint8_t *bank_data[RUN_BANKS];	/* heap */
	struct run_bank banks[RUN_BANKS];
};
void machine_code_done(struct machine_code *c);

/*
 * Whether the run agrees with the recording. ANSWER: it left the same values,
 * bit for bit or within the rounding of another order of operations. ADDRESSES:
 * products of tensor cores were left out, or values were not recorded; it read
 * and stored the same bytes. NO: it disagrees, or could not be run, and `why`
 * says how: no count is known then.
 */
enum machine_held { MACHINE_NO, MACHINE_ADDRESSES, MACHINE_ANSWER,
		    MACHINE_ALONE /* there is no recording */ };

/* What one instruction accesses. */
struct machine_access {
	uint32_t instruction;
	enum run_space space;
	enum op op;
	bool atomic, matrix, async;	/* async: what LDGSTS stores */
	uint32_t bytes;			/* for each lane */
	struct run_count count;
	/* Sites of the trace whose bytes it covers, most covered first. */
	uint32_t sites[MACHINE_SITES], site_count;
	uint64_t unasked;	/* bytes that no site asks for */
};

/* Totals as the hardware's counters have them. LDSM counts for wavefronts
 * alone. */
struct machine_totals {
	int64_t global_load_requests, global_load_sectors;
	int64_t global_store_requests, global_store_sectors;
	int64_t shared_load_requests, shared_load_wavefronts;
	int64_t shared_store_requests, shared_store_wavefronts;
};

struct machine_launch {
	struct machine_code code;
	enum machine_held held;
	char *why;		/* NULL unless NO; translated */
	/* None unless held; by instruction. */
	struct machine_access *accesses;
	size_t access_count;
	struct machine_totals totals;
	uint64_t *executed;	/* by instruction; NULL unless held */
	uint64_t steps;		/* warp instructions that were run */
	uint32_t spill_accesses;	/* instructions that spill or refill */
};

/* Runs the code, which is taken over, for the trace's blocks. -1 with e: the
 * trace is damaged. What keeps the counts from being known is no failure. */
int machine_make(struct machine_launch *m, struct machine_code *code,
		 struct trace *t, struct error *e);
void machine_done(struct machine_launch *m);

/* One access of a warp. */
struct machine_step {
	uint32_t instruction;
	enum run_space space;
	enum op op;
	bool matrix, atomic;
	uint32_t phase;			/* barriers that the warp has met */
	uint32_t bytes, mask;		/* bytes: of each lane */
	uint64_t address[WARP_LANES];	/* shared: from its first byte on */
	/* The requests of the recorded warp that it serves: the first, and how
	 * many; 0: none. */
	uint32_t first, requests;
};
/* The accesses of a warp, in the order in which it makes them. */
struct machine_steps {
	struct machine_step *list;
	size_t count, capacity;
	uint32_t *of;	/* by request of the warp: its access + 1; 0: none */
};
/* Runs the block of a warp of the trace (its index) again, to list the warp's
 * accesses; m must be held. -1 with e: the trace is damaged, or the run
 * failed. */
int machine_steps_make(struct machine_steps *to, struct machine_launch *m,
		       struct trace *t, size_t warp, struct error *e);
void machine_steps_done(struct machine_steps *s);

/* A parameter of a launch without a recording: a number, or an array of so many
 * bytes, all 0. */
struct machine_argument {
	bool is_array;
	uint64_t value, bytes;
};
/* Runs the code, which is taken over, for all blocks of a launch; `shared`:
 * bytes of dynamic shared memory. m->why says why the counts are not known. */
void machine_alone(struct machine_launch *m, struct machine_code *code,
		   struct trace_dim grid, struct trace_dim block,
		   uint32_t shared, const struct machine_argument *arguments);

/* What all accesses of some sites come to. */
struct machine_sum {
	uint32_t instructions;
	char *name;	/* of the first, "LDS.128"; heap; NULL: none */
	bool mixed;		/* they have different names */
	uint32_t bytes;		/* of the first */
	struct run_count count;
};
/* Adds up the accesses that stand for a site of which is_site() is true. */
typedef bool machine_is_site(const void *ctx, const struct trace_site *s);
struct machine_sum machine_sum(const struct machine_launch *m,
			       const struct trace_info *info,
			       machine_is_site *is_site, const void *ctx);

#endif
