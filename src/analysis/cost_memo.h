/*
 * cost_memo: what requests cost, remembered. Most requests of a kernel have been
 * seen before, shifted by some bytes, and the cost does not depend on a shift by
 * whole sectors (global memory) or whole words (shared memory). So costs are
 * kept in a table keyed by what is left: site, lanes, distances, alignment.
 */
#ifndef ANALYSIS_COST_MEMO_H
#define ANALYSIS_COST_MEMO_H

#include "hardware/access.h"

struct cost_memo;
struct cost_memo *cost_memo_new(const struct trace_info *info);
void cost_memo_free(struct cost_memo *m);

/* The cost of a load or store of global or shared memory, valid until the next
 * call; NULL: an address is misaligned. The offsets need not be within the
 * array. */
const struct access_cost *cost_memo_get(struct cost_memo *m,
					const struct trace_request *r);

#endif
