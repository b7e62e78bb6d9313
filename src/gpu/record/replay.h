/*
 * replay: turns the events that threads left in the GPU's memory into a trace:
 * addresses become arrays and offsets, each thread's events become a lane's,
 * and errors become findings. Needs no GPU.
 */
#ifndef GPU_RECORD_REPLAY_H
#define GPU_RECORD_REPLAY_H

#include "record/inferred_sizes.h"
#include "gpu/record/dwarf.h"
#include "gpu/ptx/ptx.h"
#include "gpu/ptx/record.h"

struct replay;

/*
 * Starts a replay that writes its trace to fd. `names` describes the variables,
 * in the terms of `of`: the module that was run, or its unoptimized twin;
 * `shared` may name the shared variables that `names` leaves out (or is NULL).
 * `reserved` is the number of bytes at the start of the shared window that are
 * not the kernel's. All of these stay the caller's and must outlive the replay.
 */
struct replay *replay_new(const struct plan *p, const struct ptx *ptx,
			  const struct dwarf *names,
			  const struct debug *shared, const struct ptx *of,
			  const char *device, const char *entry,
			  uint64_t reserved, int fd);

/* Adds a matrix at a device address, as the parameter of this number. With
 * is_const, nobody may write it, so there are no races for it. */
void replay_matrix(struct replay *r, const struct trace_array *array,
		   uint32_t parameter, bool is_const, uint64_t lo);
/* Tells what the parameters' arguments are, after all matrices have been added;
 * the arrays that are assumed stay the caller's. */
void replay_arguments(struct replay *r, struct inferred_sizes *assumed);
/* Adds a .global variable of the module. */
void replay_global(struct replay *r, const char *symbol, uint64_t lo);

/* Replays one block; blocks must come in ascending order. The count[t] events
 * of thread t begin at events + first[t]. */
int replay_block(struct replay *r, uint32_t block,
		 const struct record_event *events, const uint64_t *first,
		 const uint32_t *count, struct error *e);

/* Returns the lane accesses and barriers replayed so far. */
uint64_t replay_events(const struct replay *r);
struct findings *replay_findings(struct replay *r);
struct trace_info *replay_info(struct replay *r);
/* Tests whether threads were stopped or blocks left out. */
bool replay_tainted(const struct replay *r);
/* Ends the trace; `partial`: something is missing from it. */
int replay_finish(struct replay *r, bool partial, struct error *e);
void replay_free(struct replay *r);

#endif
