/*
 * parallel_record: the blocks of a large launch, recorded by several processes at once.
 *
 * Before the worker is confined it forks as many processes as there are cores,
 * the helpers. Each prepares the launch and runs its first cluster, then a part
 * of the others; the worker has the first part. The trace is the same as if one
 * process had run them all: each part's chunks are written after the others'.
 * That holds where no block needs to know what another does: there are no
 * atomics or clocks, no finding in a helper, and no part accesses what another
 * writes. Else the worker records it all again by itself.
 */
#ifndef EMU_PARALLEL_RECORD_H
#define EMU_PARALLEL_RECORD_H

#include "record/plan.h"
#include "trace/trace.h"

struct launch;

#define PARTS_MOST 8

/* Takes over the files, one for each process, to which the helpers write what
 * they have done. */
void parallel_files(const int file[PARTS_MOST]);
/* Starts the helpers, if the launch is large enough for them. Call once, and
 * not after the worker has been confined. */
void parallel_begin(const struct plan *p);
/* Returns which of the processes this is; 0: the worker. */
uint32_t parallel_rank(void);
/* Returns whether this is a helper, which sends no answers. */
bool parallel_is_helper(void);
/* Marks the launch as one whose outcome depends on the order of the blocks. */
void parallel_in_order(void);
/* Makes one process run all blocks from now on: a helper ends. */
void parallel_alone(void);
/* Returns how many blocks the helpers have run. */
uint64_t parallel_blocks(void);
/* Sets how many blocks this helper has run. Ends it if it is not needed any
 * more. */
void parallel_progress(uint64_t blocks);

/*
 * Divides the blocks from *at to *end (of `chosen`, or all if that is NULL)
 * when the first cluster has run and all that was recorded of it is known: sets
 * both to the blocks that this process runs. A helper that is not needed ends
 * here.
 */
void parallel_divide(const struct launch *l, const struct trace_info *info,
		  const uint32_t *chosen, uint64_t *at, uint64_t *end);
/* Returns whether the launch has been divided. */
bool parallel_divided(void);
/* Returns the writer of this helper's part. */
struct trace_writer *parallel_writer(const struct launch *l,
				  const uint32_t *chosen, uint64_t at);
/* Ends this helper: hands over what it has done, if that can be used. */
_Noreturn void parallel_hand_over(struct trace_writer *w,
			       const struct trace_info *info);
/*
 * Puts the helpers' parts after the worker's own, in the worker. `site` gives a
 * site its number in the table. Returns 1 if one process must do it all again;
 * -1 with e: it cannot be written.
 */
int parallel_join(struct trace_writer *w, const struct trace_info *info,
	       uint32_t (*site)(void *ctx, const struct trace_site *s),
	       void *ctx, struct error *e);
/* Drops the helpers: none of their parts is needed. */
void parallel_done(void);

#endif
