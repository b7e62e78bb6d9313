/*
 * pattern_words: the parts of sentences about a request. pattern_text.c words
 * the clause that says which lanes access what, pattern_cost.c the clause that
 * says what the access costs.
 */
#ifndef ANALYSIS_PATTERN_WORDS_H
#define ANALYSIS_PATTERN_WORDS_H

#include "analysis/pattern_lanes.h"

/* A short part of a sentence, passed by value. */
struct sentence_part { char text[160]; };

static inline bool is_store(const struct lane_offsets *l)
{
	return l->site->op == OP_ST;
}

/* Write numbers and counts in words; English spells out numbers up to
 * twelve. */
struct sentence_part words_number(int64_t n);
struct sentence_part words_addresses(int n);
struct sentence_part words_sectors(int n);
struct sentence_part words_wavefronts(int n);
struct sentence_part words_bytes(int64_t n);
struct sentence_part words_elements(int64_t n);
/* Writes the stride between two lanes, in elements if it is a whole number of
 * them. */
struct sentence_part words_step(const struct lane_offsets *l, int64_t bytes);
/* lanes_mask() returns the mask of lanes first to first + count - 1;
 * lanes_run() that of `count` of l's active lanes, from number `from` on. */
uint32_t lanes_mask(int first, int count);
uint32_t lanes_run(const struct lane_offsets *l, int from, int count);
/* Writes a lane mask: "0-15, 31". */
struct sentence_part words_lanes(uint32_t mask);
/* Write the name of the element at an offset, or of the elements that `bytes`
 * bytes span there; then of the first and the last element of the whole
 * request. */
struct sentence_part words_element(const struct lane_offsets *l,
				   uint64_t offset, uint32_t bytes);
struct sentence_part words_low_end(const struct lane_offsets *l);
struct sentence_part words_high_end(const struct lane_offsets *l);
/* Adds the clause that says which lanes access what. */
void pattern_say_what(struct str *out, const struct lane_offsets *l,
		      const struct pattern *p);

#endif
