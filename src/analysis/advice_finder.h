/*
 * advice_finder: what the files that find advice share. A finder is one file
 * advice_NAME.c, which ends in its const struct advice_finder, and a name in
 * ADVICE_FINDERS.
 */
#ifndef ANALYSIS_ADVICE_FINDER_H
#define ANALYSIS_ADVICE_FINDER_H

#include "analysis/advice.h"
#include "analysis/cost_memo.h"

struct advice_search {
	const struct trace_info *info;
	const struct advice_machine *machine;
	struct cost_memo *memo;
	uint64_t events;	/* lane accesses of the whole trace */
	struct advice *found;
	size_t count, capacity;
};

/* Where a request stands. */
struct advice_at {
	uint32_t warp;
	int64_t times;		/* how many blocks do the same */
	uint32_t phase;		/* barriers that the warp has passed */
	bool first;		/* of its warp */
};

struct advice_finder {
	/* NULL: there is nothing to find. */
	void *(*start)(struct advice_search *s);
	/* Takes the requests, warp by warp, of each kind of block (see
	 * trace_kinds()); NULL: it needs none. */
	void (*take)(void *state, const struct advice_at *at,
		     const struct trace_request *r);
	/* A block's requests were all taken; `whole`: all warps of the launch's
	 * blocks were recorded. */
	void (*block)(void *state, bool whole);
	/* Adds what was found, and frees the state. */
	void (*finish)(void *state, struct advice_search *s);
};

#define ADVICE_FINDERS(X) X(layout) X(exchange) X(vector) X(share) \
	X(barrier) X(race) X(occupancy)
#define ADVICE_FINDER(name) extern const struct advice_finder advice_##name;
ADVICE_FINDERS(ADVICE_FINDER)
#undef ADVICE_FINDER

/* Adds a piece if it saves enough. */
void advice_add(struct advice_search *s, const struct advice *a);
/* Returns whether `saves` is enough of `whole`. */
bool advice_enough(int64_t saves, int64_t whole);

/* Gets the site and array of a request to memory. Returns false if it is
 * none. */
bool advice_access(const struct trace_info *info,
		   const struct trace_request *r,
		   const struct trace_site **site,
		   const struct trace_array **array);
/* Returns whether some access of the trace is asynchronous (TMA, wgmma, or a
 * wait for either): order and layout are then not the threads' alone. */
bool advice_is_async(const struct trace_info *info);
/* Returns the bytes of the shared arrays that the kernel uses; other arrays of
 * its file may lie between them. */
uint64_t advice_shared_bytes(const struct trace_info *info);

#endif
