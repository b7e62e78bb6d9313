/*
 * trace_write_values: what a request's words are, beside what is predicted of
 * them.
 */
#include <stddef.h>
#include <string.h>

#include "trace/trace_writer.h"

/* Words of one request, and which of them each way of predicting missed. */
struct guesses {
	uint32_t count, by_shadow, by_loaded;	/* words, misses */
	uint32_t shadow[4], loaded[4];		/* a bit for each miss */
	uint32_t word[WARP_LANES * 4];
};

/* Predicts, compares and learns words k to k + 31; returns the next k. This
 * is where a recorder's time goes: no branches, bits in registers. */
static inline uint32_t guess_run(struct predictor *f,
				 const struct site_plan *plan,
				 const struct trace_request *r, uint32_t mask,
				 uint32_t words, uint32_t shift,
				 bool registers, struct guesses *g, uint32_t k)
{
	uint32_t next = (f->last + 1) % LOADS_KEPT;
	const uint32_t *loaded = f->loaded[f->last];
	uint32_t *load = plan->op == OP_LD ? f->loaded[next] : f->nothing;
	uint32_t by_shadow = 0, by_loaded = 0, n = 0;

	for (uint32_t m = mask; m; m &= m - 1) {
		uint32_t l = __builtin_ctz(m);

		for (uint32_t i = 0; i < words; i++, n++) {
			uint32_t v = r->value[l * 4 + i] & plan->bits;
			uint32_t *slot = f->shadow +
				shadow_slot(plan, registers, shift,
					    r->offset[l], i, l);

			g->word[k + n] = v;
			by_shadow |= (uint32_t)(*slot != v) << n;
			by_loaded |= (uint32_t)(loaded[i * WARP_LANES + l] !=
						v) << n;
			load[i * WARP_LANES + l] = v;
			*slot = v;
		}
	}
	g->shadow[k / 32] = by_shadow;
	g->loaded[k / 32] = by_loaded;
	return k + n;
}

/* True when the shadow memory has every word of a 4-byte access by all lanes;
 * it need not be written then. */
static bool row_known(const struct predictor *f, const struct site_plan *plan,
		      const struct trace_request *r, const uint32_t *word)
{
	uint32_t differ = 0;

	for (uint32_t l = 0; l < WARP_LANES; l++) {
		uint32_t slot = shadow_slot(plan, false, 2, r->offset[l], 0,
					    l);

		differ |= f->shadow[slot] ^ word[l];
		if (l % 16 == 0 && differ)
			return false;
	}
	return differ == 0;
}

/* The same for 4-byte accesses by all lanes, what most requests are. */
static void guess_row(struct predictor *f, const struct site_plan *plan,
		      const struct trace_request *r, struct guesses *g)
{
	const uint32_t *loaded = f->loaded[f->last];
	uint32_t by_shadow = 0, by_loaded = 0;

	for (uint32_t l = 0; l < WARP_LANES; l++)
		g->word[l] = r->value[l * 4];
	if (!row_known(f, plan, r, g->word)) {
		for (uint32_t l = 0; l < WARP_LANES; l++) {
			uint32_t v = g->word[l];
			uint32_t *slot = f->shadow +
				shadow_slot(plan, false, 2, r->offset[l], 0,
					    l);

			by_shadow = by_shadow >> 1 |
				    (uint32_t)(*slot != v) << 31;
			by_loaded = by_loaded >> 1 |
				    (uint32_t)(loaded[l] != v) << 31;
			*slot = v;
		}
	}
	g->shadow[0] = by_shadow;
	g->loaded[0] = by_loaded;
	if (plan->op == OP_LD)
		memcpy(f->loaded[(f->last + 1) % LOADS_KEPT], g->word,
		       sizeof(*g->word) * WARP_LANES);
}

/* The lowest n of a mask's lanes. */
static uint32_t lowest_lanes(uint32_t mask, uint32_t n)
{
	uint32_t rest = mask;

	while (n-- && rest)
		rest &= rest - 1;
	return mask & ~rest;
}

static void guess(struct predictor *f, const struct site_plan *plan,
		  const struct trace_request *r, struct guesses *g)
{
	uint32_t left = r->mask, k = 0;

	memset(g, 0, offsetof(struct guesses, word));
	if (left == UINT32_MAX && plan->words == 1 && plan->shift == 2 &&
	    plan->bits == UINT32_MAX && !plan->registers) {
		guess_row(f, plan, r, g);
		left = 0;
		k = WARP_LANES;
	}
	while (left) {
		uint32_t lanes = lowest_lanes(left, 32 / plan->words);

		k = guess_run(f, plan, r, lanes, plan->words, plan->shift,
			      plan->registers, g, k);
		left &= ~lanes;
	}
	g->count = k;
	for (uint32_t i = 0; i * 32 < k; i++) {
		g->by_shadow += __builtin_popcount(g->shadow[i]);
		g->by_loaded += __builtin_popcount(g->loaded[i]);
	}
	if (plan->op == OP_LD)
		f->last = (f->last + 1) % LOADS_KEPT;
}

/* Is every lane's word the sum? Sums that are no numbers are not the same on
 * all machines. */
static bool sum_same(const uint32_t sums[WARP_LANES], uint32_t mask,
		     const uint32_t *words)
{
	for (uint32_t m = mask; m; m &= m - 1, words++) {
		uint32_t sum = sums[__builtin_ctz(m)];

		if (sum != *words || (sum << 1) >= 0xFF000000u)
			return false;
	}
	return true;
}

/* The tag of a sum that is every word, or TAG_GIVEN. */
static uint8_t sum_tag(const struct predictor *f, uint32_t mask,
		       const uint32_t *words)
{
	uint32_t sums[WARP_LANES];

	for (uint32_t addend = 0; addend < LOADS_KEPT; addend++) {
		predictor_sums(f, addend, sums);
		if (sum_same(sums, mask, words))
			return (uint8_t)(TAG_SUM + addend);
	}
	return TAG_GIVEN;
}

/* The common case at the speed of a copy: one tag for a row of the shadow
 * memory; TAG_GIVEN, and nothing learnt, when there is none. */
static uint8_t row_tag(struct predictor *f, const struct site_plan *plan,
		       const struct trace_request *r, uint32_t *row)
{
	uint32_t words[WARP_LANES];
	uint8_t tag = TAG_GIVEN;

	for (int l = 0; l < WARP_LANES; l++)
		words[l] = r->value[l * 4];
	if (memcmp(row, words, sizeof(words)) == 0)
		tag = TAG_SHADOW;
	else if (memcmp(f->loaded[f->last], words, sizeof(words)) == 0)
		tag = TAG_LOADED;
	else if (plan->floats)
		tag = sum_tag(f, r->mask, words);
	if (tag == TAG_GIVEN)
		return tag;
	memcpy(row, words, sizeof(words));
	if (plan->op == OP_LD) {
		f->last = (f->last + 1) % LOADS_KEPT;
		memcpy(f->loaded[f->last], words, sizeof(words));
	}
	return tag;
}

static void put_word(struct trace_writer *w, uint8_t *code, uint32_t word)
{
	*code = dictionary_code(word);
	if (w->dictionary.word[*code] == word)
		return;
	w->dictionary.word[*code] = word;
	*code = 0;
	w->words[w->word_count++] = word;
}

static void put_misses(struct trace_writer *w, const struct guesses *g,
		       const uint32_t missed[4], bool bits)
{
	struct bytes *b = &w->column[COLUMN_BITS];
	struct bytes *codes = &w->column[COLUMN_CODES];
	uint8_t *p = bytes_room(b, sizeof(g->shadow)), *code;

	if (bits) {
		for (int i = 0; i < 4; i++)
			put_u32(p + 4 * i, missed[i]);
		b->len += (g->count + 7) / 8;
	}
	code = bytes_room(codes, g->count);
	for (int i = 0; i < 4; i++)
		for (uint32_t m = missed[i]; m; m &= m - 1)
			put_word(w, code++,
				 g->word[i * 32 + __builtin_ctz(m)]);
	codes->len = code - codes->data;
}

/* The tag of a request of any kind; its misses are put behind it. */
static void guess_tag(struct trace_writer *w, const struct site_plan *plan,
		      const struct trace_request *r, uint8_t *tag)
{
	struct guesses g;
	uint32_t misses;
	bool shadow;

	guess(&w->predictor, plan, r, &g);
	shadow = g.by_shadow <= g.by_loaded;
	misses = MIN(g.by_shadow, g.by_loaded);
	if (misses && plan->floats) {
		*tag = sum_tag(&w->predictor, r->mask, g.word);
		if (*tag != TAG_GIVEN)
			return;
	}
	if (misses == 0)
		*tag = shadow ? TAG_SHADOW : TAG_LOADED;
	else if (misses < g.count)
		*tag = shadow ? TAG_SHADOW_BITS : TAG_LOADED_BITS;
	else
		*tag = TAG_GIVEN;
	if (misses)
		put_misses(w, &g, shadow ? g.shadow : g.loaded,
			   *tag != TAG_GIVEN);
}

void trace_put_values(struct trace_writer *w, const struct site_state *s,
		      const struct trace_request *r)
{
	const struct pattern_lanes *lanes = &w->patterns[s->last.pattern];
	uint32_t *row = shadow_row(&w->predictor, &s->plan, lanes,
				   s->last.base);
	uint8_t tag = TAG_GIVEN;

	if (row)
		tag = row_tag(&w->predictor, &s->plan, r, row);
	if (tag == TAG_GIVEN)
		guess_tag(w, &s->plan, r, &tag);
	put_bytes(&w->column[COLUMN_TAG], &tag, 1);
	w->word_seen += lanes->count * s->plan.words;
}
