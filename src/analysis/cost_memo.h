/*
 * cost_memo: a cache of requests' costs. Most requests of a kernel equal an
 * earlier one, shifted by some bytes, and the cost does not depend on a shift
 * by whole sectors (global memory) or whole words (shared memory). So the key
 * is what remains: site, lanes, distances, alignment.
 */
#ifndef ANALYSIS_COST_MEMO_H
#define ANALYSIS_COST_MEMO_H

#include "hardware/access.h"

struct cost_memo;
struct cost_memo *cost_memo_new(const struct trace_info *info);
void cost_memo_free(struct cost_memo *m);

/* Returns the cost of a load or store of global or shared memory, valid until
 * the next call; NULL: an address is misaligned. The offsets need not be within
 * the array. */
const struct access_cost *cost_memo_get(struct cost_memo *m,
					const struct trace_request *r);

#endif
