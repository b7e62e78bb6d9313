/*
 * cost: what launches cost, as counts over whole traces, summed over all
 * launches of one call unless the word says otherwise.
 */
#ifndef PRACTICE_COST_H
#define PRACTICE_COST_H

#include "trace/trace.h"

/* X(kind, word, phrase): sectors and requests of global memory, wavefronts of
 * shared memory; see cost.c for the others. */
#define COST_KINDS(X) \
	X(LOAD_SECTORS, "load-sectors", N_("sectors of loads")) \
	X(STORE_SECTORS, "store-sectors", N_("sectors of stores")) \
	X(LOAD_REQUESTS, "load-requests", N_("requests of loads")) \
	X(STORE_REQUESTS, "store-requests", N_("requests of stores")) \
	X(SHARED_READS, "shared-reads", N_("wavefronts of shared reads")) \
	X(SHARED_WRITES, "shared-writes", N_("wavefronts of shared writes")) \
	X(SHARED_BYTES, "shared-bytes", N_("bytes of shared memory a block")) \
	X(BARRIERS, "barriers", N_("barriers that a warp passes")) \
	X(LOADING, "loading-stretches", \
	  N_("stretches that load and do not compute")) \
	X(COMPUTING, "computing-stretches", \
	  N_("stretches that compute and do not load")) \
	X(STORING, "storing-stretches", \
	  N_("stretches that only fill shared memory")) \
	X(MMA, "mma", N_("16 x 16 products of fragments")) \
	X(THREADS, "threads", N_("threads"))

#define COST_ENUM(kind, word, phrase) COST_##kind,
enum cost_kind { COST_KINDS(COST_ENUM) COST_COUNT };
#undef COST_ENUM

/* Returns the cost's word, "load-sectors"; its phrase, translated; and the
 * reverse of the first, or -1. */
const char *cost_word(enum cost_kind k);
const char *cost_phrase(enum cost_kind k);
int cost_from(const char *word);

/* Adds the costs of one launch to `costs`, of which shared-bytes and stretches
 * are the most of any launch. -1 with e: the trace is damaged. */
int cost_add(struct trace *t, int64_t costs[COST_COUNT], struct error *e);

#endif
