/*
 * replay: from the events that threads left in the GPU's memory to a trace.
 * Addresses become arrays and offsets, each thread's events a lane's, and
 * what was wrong a finding. Needs no GPU.
 */
#ifndef GPU_REPLAY_H
#define GPU_REPLAY_H

#include "record/plan.h"
#include "gpu/dwarf.h"
#include "gpu/ptx/ptx.h"
#include "gpu/ptx/record.h"

struct replay;

/*
 * The trace goes to fd. `names` knows the variables, in the terms of `of`:
 * the module that was run, or its unoptimized twin; what shared variables it
 * leaves out, `shared` may know by name (or is NULL). `reserved`: bytes at the
 * start of the shared window that are not the kernel's. All stay the
 * caller's, and stay until the end.
 */
struct replay *replay_new(const struct plan *p, const struct ptx *ptx,
			  const struct dwarf *names,
			  const struct debug *shared, const struct ptx *of,
			  const char *device, const char *entry,
			  uint64_t reserved, int fd);

/* A matrix, the parameter of this number, at a device address. What nobody
 * may write (is_const), nobody races for. */
void replay_matrix(struct replay *r, const struct trace_array *array,
		   uint32_t parameter, bool is_const, uint64_t lo);
/* A .global variable of the module. */
void replay_global(struct replay *r, const char *symbol, uint64_t lo);

/*
 * One block, in ascending order: count[t] events of thread t begin at
 * events + first[t].
 */
int replay_block(struct replay *r, uint32_t block,
		 const struct record_event *events, const uint64_t *first,
		 const uint32_t *count, struct error *e);

/* Accesses and barriers so far, a lane's each. */
uint64_t replay_events(const struct replay *r);
struct findings *replay_findings(struct replay *r);
struct trace_info *replay_info(struct replay *r);
/* Threads were stopped, or blocks left out. */
bool replay_tainted(const struct replay *r);
/* Ends the trace; `partial` says that something is missing. */
int replay_finish(struct replay *r, bool partial, struct error *e);
void replay_free(struct replay *r);

#endif
