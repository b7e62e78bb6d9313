/*
 * recording_parts: one recording, whose steps are a file each: recording_code.c
 * compiles and loads, recording_memory.c makes what the kernel may touch,
 * recording_run.c launches, recording_blocks.c records block after block;
 * recording.c takes the steps in order. They return -1 with e.
 */
#ifndef GPU_RECORDING_PARTS_H
#define GPU_RECORDING_PARTS_H

#include "gpu/compile.h"
#include "gpu/launch.h"
#include "gpu/replay.h"

struct recording {
	struct plan plan;
	const struct device *device;
	struct compiled compiled[3];
	const char *debug, *shared, *optimized;	/* PTX; NULL: not wanted */
	struct ptx *ptx, *debug_ptx;	/* what runs; what knows the names */
	struct ptx *shared_ptx;		/* of NVRTC's: names of shared arrays */
	struct dwarf names, shared_names;
	const struct debug_function *entry;
	struct debug_function *signature;	/* or NULL */
	struct argument arguments[ARGUMENTS_MOST];
	int argument_count;
	struct launch_arguments values;
	/* Of the problem; where the kernel has none, memory is 0. */
	struct trace_array arrays[PROBLEM_ARRAYS];
	void *contents[PROBLEM_ARRAYS];	/* before the launch */
	CUdeviceptr memory[PROBLEM_ARRAYS];
	CUmodule module;
	CUfunction function;
	CUdeviceptr state, slots, counts, first, room, events;
	uint64_t events_bytes;
	uint32_t *chosen;		/* blocks, ascending; NULL: all */
	uint64_t chosen_count;
	uint32_t *count;		/* a thread of a chosen block */
	/* Variables of the module, and what they are before a launch. */
	struct global { CUdeviceptr at; void *was; size_t bytes; } *globals;
	size_t global_count, global_capacity;
	uint32_t ranges;		/* global arrays */
	int reserved;			/* bytes of shared memory, first */
	struct record_state host;
	struct replay *replay;
	uint64_t blocks_done;
	bool lost;
};

/* ---- recording_code.c ---- */

/* The code as PTX: what nvcc or NVRTC made of the text. */
int recording_code(struct recording *r, struct error *e);
/* EXIT_USAGE for code whose accesses are no instructions of a thread. */
int recording_units_check(const struct recording *r, struct error *e);
/* Puts recording code in, and finds what variables and kernels are called. */
int recording_names(struct recording *r, struct error *e);
/* Finds the kernel that the plan means. */
int recording_entry(struct recording *r, struct error *e);
/* Loads PTX or a fatbin, as the driver optimizes it at the level. */
int recording_load(struct recording *r, const char *code, int level,
		   struct error *e);
/* Loads the code without recording. */
int recording_load_plain(struct recording *r, struct error *e);

/* ---- recording_memory.c ---- */

/* Makes the kernel's arguments and the arrays that they point to. */
int recording_matrices(struct recording *r, struct error *e);
/* Makes the replay, and tells it of all memory that the kernel may touch; the
 * trace goes to fd. */
int recording_replay(struct recording *r, int fd, struct error *e);

/* ---- recording_run.c ---- */

/* Launches the kernel once, on fresh inputs, and waits for its end. */
int recording_launch(struct recording *r, struct error *e);
/* The same; it records what `host` says. */
int recording_run(struct recording *r, struct error *e);
/* The number in the grid of the nth chosen block. */
uint32_t recording_block(const struct recording *r, uint64_t n);
/* Blocks `from` to `to` of those chosen are to record, in slots from 0. */
int recording_slots(struct recording *r, uint64_t from, uint64_t to,
		    struct error *e);
/* Makes the state that threads on the GPU count in. */
int recording_state(struct recording *r, struct error *e);
/* Runs once to count each thread's events. */
int recording_count(struct recording *r, struct error *e);
/* Takes as much memory for events as there is. */
int recording_room(struct recording *r, struct error *e);

/* ---- recording_blocks.c ---- */

/* Records all chosen blocks, checks the answer and ends the trace. */
int recording_blocks(struct recording *r, struct error *e);

#endif
