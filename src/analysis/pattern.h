/*
 * pattern: the shape of a request, and the sentence that says it.
 *
 * Offsets are seen as elements of the site's array, so that a row and a
 * column of a matrix can be named.
 */
#ifndef ANALYSIS_PATTERN_H
#define ANALYSIS_PATTERN_H

#include "hardware/access.h"

enum pattern_kind {
	PATTERN_NONE,		/* barrier */
	PATTERN_BROADCAST,	/* few addresses, each for runs of lanes */
	PATTERN_CONTIGUOUS,	/* lane i + 1 right behind lane i, in order */
	PATTERN_STRIDED,	/* a constant step that is not the width */
	PATTERN_BLOCK,		/* two-dimensional: runs at a second stride,
				   which is 0 when each run is the same */
	PATTERN_PERMUTED,	/* a contiguous range in another order, also
				   backwards; each lane another address */
	PATTERN_IRREGULAR,
};
/* "broadcast", "contiguous", ... */
const char *pattern_name(enum pattern_kind k);

struct pattern {
	enum pattern_kind kind;
	int lanes;		/* active */
	int addresses;		/* distinct */
	/*
	 * The active lanes, in order, fall into `groups` runs of `group`
	 * lanes (the last may be shorter; in a broadcast any may be), with
	 * `inner` bytes from lane to lane within a run and `outer` from one
	 * run's start to the next one's (0 where that varies). All of a
	 * contiguous, strided or permuted request is one run; an irregular
	 * one has a run a lane and no steps.
	 */
	int groups, group;
	int64_t inner, outer;
};
void pattern_find(const struct trace_info *info,
		  const struct trace_request *r, struct pattern *p);

/*
 * Element coordinates of a byte offset: index[rank], outermost first; false
 * when it is outside the array or rank is 0.
 */
bool array_coords(const struct trace_array *a, uint64_t offset,
		  uint64_t index[TRACE_MAX_RANK]);
/* "A[3][5]", or with width > 1 element "A[3][4..7]". */
void array_element(const struct trace_array *a, uint64_t offset,
		   uint32_t bytes, char *buf, size_t size);

/*
 * One to three sentences, translated, e.g. "Lanes 0-15 read A[0][5], lanes
 * 16-31 read A[1][5]: two addresses, two sectors, a broadcast." Heap.
 */
char *pattern_sentence(const struct trace_info *info,
		       const struct trace_request *r);
/*
 * Only who touches what, without the cost and as part of a longer sentence:
 * "lanes 0-31 read A[0][5] to A[31][5], down a column, in steps of 64
 * elements (256 bytes)". Heap; "" for a barrier.
 */
char *pattern_clause(const struct trace_info *info,
		     const struct trace_request *r);
/* "5", "0-15", "0-3, 8-11"; long lists are shortened. */
void pattern_lanes(uint32_t mask, char *buf, size_t size);

#endif
