/*
 * parts: the blocks of a large launch, recorded by several processes at once.
 *
 * Before the worker is confined it forks itself into as many processes as there
 * are cores, the helpers. Each prepares the launch and runs its first cluster,
 * then a part of the others; the worker has the first part. The trace comes out
 * as if one had run them all: each part's chunks are written behind the
 * others'. That is so where no block needs to know what another does: there are
 * no atomics or clocks, no finding in a helper, and no part accesses what
 * another writes. Else the worker records it all again by itself.
 */
#ifndef EMU_PARTS_H
#define EMU_PARTS_H

#include "record/plan.h"
#include "trace/trace.h"

struct launch;

#define PARTS_MOST 8

/* Takes over the files, one for each process, that the helpers write what they
 * have done to. */
void parts_files(const int file[PARTS_MOST]);
/* Begins the helpers, if the launch is large enough for them. Once, and not
 * after the worker has been confined. */
void parts_begin(const struct plan *p);
/* Which of the processes this is; 0: the worker. */
uint32_t parts_rank(void);
/* Whether this is a helper, which answers nobody. */
bool parts_is_helper(void);
/* Something was done whose outcome depends on the order of the blocks. */
void parts_in_order(void);
/* From now on one process runs all blocks: a helper ends. */
void parts_alone(void);
/* How far the helpers are. */
uint64_t parts_blocks(void);
/* A helper's own: how far it is. Ends it if it is not needed any more. */
void parts_progress(uint64_t blocks);

/*
 * The first cluster has run, with all that was recorded of it: of the blocks
 * from *at to *end (of `chosen`, or all if that is NULL), those that this
 * process runs. A helper that is not needed ends here.
 */
void parts_divide(const struct launch *l, const struct trace_info *info,
		  const uint32_t *chosen, uint64_t *at, uint64_t *end);
/* Whether the launch has been divided. */
bool parts_divided(void);
/* Of a helper: the writer of its part. */
struct trace_writer *parts_writer(const struct launch *l,
				  const uint32_t *chosen, uint64_t at);
/* Ends a helper: hands over what it has done, if that can be used. */
_Noreturn void parts_hand_over(struct trace_writer *w,
			       const struct trace_info *info);
/*
 * Of the worker: puts the helpers' parts behind its own. `site` gives a site
 * its number in the table. 1: it must be done again, by one process; -1 with e:
 * it cannot be written.
 */
int parts_join(struct trace_writer *w, const struct trace_info *info,
	       uint32_t (*site)(void *ctx, const struct trace_site *s),
	       void *ctx, struct error *e);
/* No part of a helper is needed. */
void parts_done(void);

#endif
