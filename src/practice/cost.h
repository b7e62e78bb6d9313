/*
 * cost: what launches cost, as counts over whole traces, summed over all
 * launches of one call unless the word says otherwise.
 */
#ifndef PRACTICE_COST_H
#define PRACTICE_COST_H

#include "trace/trace.h"

/* X(kind, word): sectors and requests of global memory; wavefronts of shared
 * memory, and its bytes; barriers that a warp passes; stretches between barriers
 * in which a block loads from global memory and reads nothing shared, reads and
 * loads nothing, or only fills shared memory; products of fragments, of 16 x 16 x
 * 16; threads, and those that store to global memory. */
#define COST_KINDS(X) \
	X(LOAD_SECTORS, "load-sectors") X(STORE_SECTORS, "store-sectors") \
	X(LOAD_REQUESTS, "load-requests") X(STORE_REQUESTS, "store-requests") \
	X(SHARED_READS, "shared-reads") X(SHARED_WRITES, "shared-writes") \
	X(SHARED_BYTES, "shared-bytes") X(BARRIERS, "barriers") \
	X(LOADING, "loading-stretches") X(COMPUTING, "computing-stretches") \
	X(STORING, "storing-stretches") X(MMA, "mma") X(THREADS, "threads") \
	X(STORERS, "storing-threads")

#define COST_ENUM(kind, word) COST_##kind,
enum cost_kind { COST_KINDS(COST_ENUM) COST_COUNT };
#undef COST_ENUM

/* Returns the cost's word, "load-sectors"; its phrase, translated; and the
 * reverse of the first, or -1. */
const char *cost_word(enum cost_kind k);
const char *cost_phrase(enum cost_kind k);
int cost_from(const char *word);

/* Counts the costs of one launch. -1 with e: the trace is damaged. */
int cost_of_launch(struct trace *t, int64_t costs[COST_COUNT],
		   struct error *e);
/* Returns the line of the launch's text that adds most to a cost; 0: no line
 * does, as with threads, or the trace is damaged. */
uint32_t cost_dearest_line(struct trace *t, enum cost_kind k);
/* Adds the costs of a launch to those of others; of shared-bytes and stretches
 * the most of any launch counts. */
void cost_join(int64_t to[COST_COUNT], const int64_t of[COST_COUNT]);

#endif
