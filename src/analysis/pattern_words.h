/*
 * pattern_words: the parts of sentences about a request, and its two clauses:
 * pattern_text.c says who accesses what, pattern_cost.c what that costs.
 */
#ifndef ANALYSIS_PATTERN_WORDS_H
#define ANALYSIS_PATTERN_WORDS_H

#include "analysis/pattern_lanes.h"

/* A part of a sentence, short and passed around by value. */
struct words { char text[160]; };

static inline bool is_store(const struct lanes *l)
{
	return l->site->op == OP_ST;
}

/* In English, numbers up to twelve are written as words. */
struct words words_number(int64_t n);
struct words words_addresses(int n);
struct words words_sectors(int n);
struct words words_wavefronts(int n);
struct words words_bytes(int64_t n);
struct words words_elements(int64_t n);
/* How far apart two lanes are: in elements, where these fit. */
struct words words_step(const struct lanes *l, int64_t bytes);
/* Lanes first to first + count - 1; and so many of l's from its nth on. */
uint32_t lanes_mask(int first, int count);
uint32_t lanes_run(const struct lanes *l, int from, int count);
/* "0-15, 31" */
struct words words_lanes(uint32_t mask);
/* The element at an offset, or the several that the bytes are; the first and
 * the last of all that is accessed. */
struct words words_element(const struct lanes *l, uint64_t offset,
			   uint32_t bytes);
struct words words_low_end(const struct lanes *l);
struct words words_high_end(const struct lanes *l);
/* Who accesses what. */
void pattern_say_what(struct str *out, const struct lanes *l,
		      const struct pattern *p);

#endif
