/*
 * pattern: the access pattern of a request, and sentences that describe it.
 *
 * Byte offsets are converted to elements of the site's array, so that the
 * sentences can name rows and columns of a matrix.
 */
#ifndef ANALYSIS_PATTERN_H
#define ANALYSIS_PATTERN_H

#include "hardware/access.h"

enum pattern_kind {
	PATTERN_NONE,		/* barrier */
	PATTERN_BROADCAST,	/* few addresses, each for runs of lanes */
	PATTERN_CONTIGUOUS,	/* lane i + 1 is adjacent to lane i, in order */
	PATTERN_STRIDED,	/* a constant stride other than the width */
	PATTERN_BLOCK,		/* two-dimensional: runs of lanes at a second
				   stride, which is 0 when all runs are the
				   same */
	PATTERN_PERMUTED,	/* a contiguous range in another order, such
				   as backwards; every lane has its own
				   address */
	PATTERN_IRREGULAR,
};
/* Returns the kind's name: "broadcast", "contiguous", ... */
const char *pattern_name(enum pattern_kind k);

struct pattern {
	enum pattern_kind kind;
	int lanes;		/* active lanes */
	int addresses;		/* distinct addresses */
	/*
	 * The active lanes, in order, form `groups` runs of `group` lanes each
	 * (the last run may be shorter; in a broadcast any run may be). `inner`
	 * is the stride in bytes from lane to lane in a run, `outer` the stride
	 * from the start of one run to the next (0 where it varies). A
	 * contiguous, strided or permuted request is a single run; an irregular
	 * request has one run per lane and no strides.
	 */
	int groups, group;
	int64_t inner, outer;
};
void pattern_find(const struct trace_info *info,
		  const struct trace_request *r, struct pattern *p);

/*
 * Sets index[rank] to the coordinates of the element at a byte offset,
 * outermost first; false when the offset is outside the array or the array's
 * rank is 0.
 */
bool array_coords(const struct trace_array *a, uint64_t offset,
		  uint64_t index[TRACE_MAX_RANK]);
/* Writes the name of the element at an offset, "A[3][5]", or of several if the
 * access is wider than an element, "A[3][4..7]". */
void array_element(const struct trace_array *a, uint64_t offset,
		   uint32_t bytes, char *buf, size_t size);

/*
 * Returns one to three sentences, translated, that describe a request and its
 * cost, such as "Lanes 0-15 read A[0][5], lanes 16-31 read A[1][5]: two
 * addresses shared by lanes, two sectors." The caller frees them.
 */
char *pattern_sentence(const struct trace_info *info,
		       const struct trace_request *r);
/*
 * Returns only which lanes access what, without the cost, as a clause of a
 * longer sentence: "lanes 0-31 read A[0][5] to A[31][5], down a column, in
 * steps of 64 elements (256 bytes)"; "" for a barrier. The caller frees it.
 */
char *pattern_clause(const struct trace_info *info,
		     const struct trace_request *r);
/* Writes a lane mask as text: "5", "0-15", "0-3, 8-11"; long lists are
 * shortened. */
void pattern_lanes(uint32_t mask, char *buf, size_t size);

#endif
