/*
 * pattern_words: the parts of sentences about a request. pattern_text.c words
 * the clause that says which lanes access what, pattern_cost.c the clause that
 * says what the access costs.
 */
#ifndef ANALYSIS_PATTERN_WORDS_H
#define ANALYSIS_PATTERN_WORDS_H

#include "analysis/pattern_lanes.h"

/* A short part of a sentence, passed by value. */
struct words { char text[160]; };

static inline bool is_store(const struct lanes *l)
{
	return l->site->op == OP_ST;
}

/* Numbers and counts in words; English spells out numbers up to twelve. */
struct words words_number(int64_t n);
struct words words_addresses(int n);
struct words words_sectors(int n);
struct words words_wavefronts(int n);
struct words words_bytes(int64_t n);
struct words words_elements(int64_t n);
/* The stride between two lanes, in elements where it is a whole number of
 * them. */
struct words words_step(const struct lanes *l, int64_t bytes);
/* lanes_mask() returns the mask of lanes first to first + count - 1;
 * lanes_run() that of `count` of l's active lanes, from number `from` on. */
uint32_t lanes_mask(int first, int count);
uint32_t lanes_run(const struct lanes *l, int from, int count);
/* A lane mask in words: "0-15, 31". */
struct words words_lanes(uint32_t mask);
/* The name of the element at an offset, or of the elements that `bytes` bytes
 * span there; then of the first and the last element of the whole request. */
struct words words_element(const struct lanes *l, uint64_t offset,
			   uint32_t bytes);
struct words words_low_end(const struct lanes *l);
struct words words_high_end(const struct lanes *l);
/* Adds the clause that says which lanes access what. */
void pattern_say_what(struct str *out, const struct lanes *l,
		      const struct pattern *p);

#endif
