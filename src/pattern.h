/*
 * pattern: the shape of a request, and the sentence that says it.
 *
 * Offsets are seen as elements of the site's array, so that a row and a
 * column of a matrix can be named.
 */
#ifndef PATTERN_H
#define PATTERN_H

#include "access.h"

enum pattern_kind {
	PATTERN_NONE,		/* barrier */
	PATTERN_BROADCAST,	/* few addresses, each for a run of lanes */
	PATTERN_CONTIGUOUS,	/* lane i + 1 right behind lane i, in order */
	PATTERN_STRIDED,	/* a constant step that is not the width */
	PATTERN_BLOCK,		/* two-dimensional: runs at a second stride */
	PATTERN_PERMUTED,	/* a contiguous range in another order */
	PATTERN_IRREGULAR,
};
/* "broadcast", "contiguous", ... */
const char *pattern_name(enum pattern_kind k);

struct pattern {
	enum pattern_kind kind;
	int lanes;		/* active */
	int addresses;		/* distinct */
	/* The lanes fall into `groups` runs of `group` neighbouring lanes (the
	 * last may be shorter); bytes between neighbours within a run and
	 * between the starts of runs. Meaning depends on kind. */
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

#endif
