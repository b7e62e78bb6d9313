/*
 * recording_parts: one recording. Each of its steps has a file:
 * recording_code.c compiles and loads, recording_memory.c allocates the memory
 * that the kernel may access, recording_run.c launches, recording_blocks.c
 * records block after block; recording.c calls them in order. The functions
 * return -1 with e.
 */
#ifndef GPU_RECORD_RECORDING_PARTS_H
#define GPU_RECORD_RECORDING_PARTS_H

#include "toolkit/compile.h"
#include "gpu/device/launch.h"
#include "gpu/record/replay.h"
#include "record/inferred_sizes.h"

struct gpu_recording {
	struct plan plan;
	const struct device *device;
	struct compiled compiled[3];
	const char *debug, *shared, *optimized;	/* PTX; NULL: not needed */
	/* the module that runs; the one with the names */
	struct ptx *ptx, *debug_ptx;
	struct ptx *shared_ptx;	/* NVRTC's, for the names of shared arrays */
	struct dwarf names, shared_names;
	const struct debug_function *entry;
	struct debug_function *signature;	/* or NULL */
	struct argument arguments[ARGUMENTS_MOST];
	int argument_count;
	struct inferred_sizes assumed;		/* arrays that have grown */
	struct launch_arguments values;
	/* The problem's arrays; without a problem, memory is 0. */
	struct trace_array arrays[ARGUMENT_ARRAYS];
	void *contents[ARGUMENT_ARRAYS];	/* contents before the launch */
	CUdeviceptr memory[ARGUMENT_ARRAYS];
	CUmodule module;
	CUfunction function;
	CUdeviceptr state, slots, counts, first, room, events;
	uint64_t events_bytes;
	/* numbers of the blocks to record, ascending; NULL: all */
	uint32_t *chosen;
	uint64_t chosen_count;
	uint32_t *count;	/* events of each thread of the chosen blocks */
	/* The module's variables, and their contents before a launch. */
	struct global { CUdeviceptr at; void *was; size_t bytes; } *globals;
	size_t global_count, global_capacity;
	uint32_t ranges;		/* number of global arrays */
	int reserved;	/* bytes at the start of shared memory */
	struct record_state host;
	struct replay *replay;
	uint64_t blocks_done;
	bool lost;
};

/* ---- recording_code.c ---- */

/* Gets the code as PTX that nvcc or NVRTC generated from the text. */
int recording_code(struct gpu_recording *r, struct error *e);
/* Refuses (EXIT_USAGE) code whose accesses are not instructions of a thread. */
int recording_units_check(const struct gpu_recording *r, struct error *e);
/* Inserts recording code, and finds the names of variables and kernels. */
int recording_names(struct gpu_recording *r, struct error *e);
/* Finds the kernel that the plan means. */
int recording_entry(struct gpu_recording *r, struct error *e);
/* Loads PTX or a fatbin; the driver optimizes PTX at this level. */
int recording_load(struct gpu_recording *r, const char *code, int level,
		   struct error *e);
/* Loads the code without recording. */
int recording_load_plain(struct gpu_recording *r, struct error *e);

/* ---- recording_memory.c ---- */

/* Makes the kernel's arguments, and the arrays that they point to. */
int recording_matrices(struct gpu_recording *r, struct error *e);
/* Makes the replay, which writes the trace to fd, and adds all memory that the
 * kernel may access. */
int recording_replay(struct gpu_recording *r, int fd, struct error *e);

/* ---- recording_run.c ---- */

/* Launches the kernel once, on fresh inputs, and waits for its end. */
int recording_launch(struct gpu_recording *r, struct error *e);
/* Launches the kernel once, recording what the state `host` selects. */
int recording_run(struct gpu_recording *r, struct error *e);
/* Returns the number in the grid of the nth chosen block. */
uint32_t recording_block(const struct gpu_recording *r, uint64_t n);
/* Makes the chosen blocks `from` to `to` record, in slots from 0. */
int recording_slots(struct gpu_recording *r, uint64_t from, uint64_t to,
		    struct error *e);
/* Allocates the state in which threads on the GPU count their events. */
int recording_state(struct gpu_recording *r, struct error *e);
/* Runs once to count each thread's events. */
int recording_count(struct gpu_recording *r, struct error *e);
/* Allocates as much memory for events as there is. */
int recording_room(struct gpu_recording *r, struct error *e);

/* ---- recording_blocks.c ---- */

/* Records all chosen blocks, checks the answer and ends the trace. */
int recording_blocks(struct gpu_recording *r, struct error *e);

#endif
