/*
 * trace_write_values: writes the words of a request that the predictor misses.
 */
#include <stddef.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "trace/trace_writer.h"

/* Words of one request, and which of them each way of predicting missed. */
struct guesses {
	uint32_t count, by_shadow, by_loaded;	/* words, misses */
	uint32_t shadow[4], loaded[4];		/* a bit for each miss */
	uint32_t word[WARP_LANES * 4];
};

/* Compares two rows of 32 words. Returns a bit for each lane whose words
 * differ. */
static inline uint32_t row_differs(const uint32_t *a, const uint32_t *b)
{
	uint32_t differ = 0;

#ifdef __SSE2__
	for (int l = 0; l < WARP_LANES; l += 4) {
		__m128i x = _mm_loadu_si128((const __m128i *)(a + l));
		__m128i y = _mm_loadu_si128((const __m128i *)(b + l));
		__m128i same = _mm_cmpeq_epi32(x, y);

		differ |= (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(same))
			  << l;
	}
	return ~differ;
#else
	for (int l = 0; l < WARP_LANES; l++)
		differ |= (uint32_t)(a[l] != b[l]) << l;
	return differ;
#endif
}

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

/* Stores the words of 4-byte accesses by all lanes, at any addresses, in the
 * shadow memory. Returns a bit for each word that it had predicted wrongly. */
static uint32_t shadow_learn(struct predictor *f, const struct site_plan *plan,
			     const struct trace_request *r,
			     const uint32_t *word)
{
	uint32_t missed = 0;

	for (uint32_t l = 0; l < WARP_LANES; l++) {
		uint32_t *slot = f->shadow +
			shadow_slot(plan, false, 2, r->offset[l], 0, l);

		missed = missed >> 1 | (uint32_t)(*slot != word[l]) << 31;
		*slot = word[l];
	}
	return missed;
}

/* Stores words as shadow_learn() does, for lanes at adjacent addresses: a row
 * of the shadow memory. */
static uint32_t shadow_learn_row(uint32_t *row, const uint32_t *word)
{
	uint32_t missed = row_differs(row, word);

	if (missed)
		memcpy(row, word, sizeof(*row) * WARP_LANES);
	return missed;
}

/* Stores words as shadow_learn() does, for lanes that all access one
 * address. */
static uint32_t shadow_learn_one(uint32_t *slot, const uint32_t *word)
{
	uint32_t before[WARP_LANES];

	before[0] = *slot;
	memcpy(before + 1, word, sizeof(before) - sizeof(*before));
	*slot = word[WARP_LANES - 1];
	return row_differs(before, word);
}

/* Predicts 4-byte accesses by all lanes, as most requests are. */
static void guess_row(struct predictor *f, const struct site_plan *plan,
		      const struct trace_request *r,
		      const struct pattern_lanes *lanes, struct guesses *g)
{
	uint32_t first = shadow_slot(plan, false, 2, r->offset[0], 0, 0);

	for (uint32_t l = 0; l < WARP_LANES; l++)
		g->word[l] = r->value[l * 4];
	if (lanes->lowest == lanes->highest)
		g->shadow[0] = shadow_learn_one(f->shadow + first, g->word);
	else if (lanes->row && first <= SHADOW_SLOTS - WARP_LANES)
		g->shadow[0] = shadow_learn_row(f->shadow + first, g->word);
	else
		g->shadow[0] = shadow_learn(f, plan, r, g->word);
	g->loaded[0] = row_differs(f->loaded[f->last], g->word);
	if (plan->op == OP_LD)
		memcpy(f->loaded[(f->last + 1) % LOADS_KEPT], g->word,
		       sizeof(*g->word) * WARP_LANES);
}

/* Calls guess_run() for any width; with constant arguments for common ones, so
 * that the compiler specialises it. */
static uint32_t guess_lanes(struct predictor *f, const struct site_plan *plan,
			    const struct trace_request *r, uint32_t lanes,
			    struct guesses *g, uint32_t k)
{
	if (plan->registers)
		return guess_run(f, plan, r, lanes, plan->words, plan->shift,
				 true, g, k);
	if (plan->shift != 2)
		return guess_run(f, plan, r, lanes, 1, plan->shift, false, g,
				 k);
	if (plan->words == 4)
		return guess_run(f, plan, r, lanes, 4, 2, false, g, k);
	return guess_run(f, plan, r, lanes, plan->words, 2, false, g, k);
}

/* Returns the mask of the lowest n lanes of a mask. */
static uint32_t lowest_lanes(uint32_t mask, uint32_t n)
{
	uint32_t rest = mask;

	while (n-- && rest)
		rest &= rest - 1;
	return mask & ~rest;
}

static void guess_words(struct predictor *f, const struct site_plan *plan,
			const struct trace_request *r,
			const struct pattern_lanes *pattern, struct guesses *g)
{
	uint32_t left = r->mask, k = 0;

	memset(g, 0, offsetof(struct guesses, word));
	if (left == UINT32_MAX && plan->words == 1 && plan->shift == 2 &&
	    plan->bits == UINT32_MAX && !plan->registers) {
		guess_row(f, plan, r, pattern, g);
		left = 0;
		k = WARP_LANES;
	}
	while (left) {
		uint32_t lanes = lowest_lanes(left, 32 / plan->words);

		k = guess_lanes(f, plan, r, lanes, g, k);
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

/* Tests whether every lane's word equals the sum. Infinite and NaN sums do not
 * count, since their bits differ between machines. */
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

/* Finds the sum that equals every word and returns its tag, or TAG_GIVEN. */
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

static void put_coded_word(struct warp_writer *w, uint8_t *code, uint32_t word)
{
	*code = dictionary_code(word);
	if (w->dictionary.word[*code] == word)
		return;
	w->dictionary.word[*code] = word;
	*code = 0;
	w->words[w->word_count++] = word;
}

static void put_misses(struct warp_writer *w, const struct guesses *g,
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
			put_coded_word(w, code++,
				       g->word[i * 32 + __builtin_ctz(m)]);
	codes->len = code - codes->data;
}

/* Chooses the tag of a row of the shadow memory, for which one tag is most
 * often enough; this common case runs at the speed of a copy. */
static uint8_t row_tag(struct warp_writer *w, const struct site_plan *plan,
		       const struct trace_request *r, uint32_t *row)
{
	struct predictor *f = &w->predictor;
	struct guesses g = { .count = WARP_LANES };
	uint8_t tag = TAG_GIVEN;
	bool shadow;

	for (int l = 0; l < WARP_LANES; l++)
		g.word[l] = r->value[l * 4];
	g.shadow[0] = row_differs(row, g.word);
	g.loaded[0] = row_differs(f->loaded[f->last], g.word);
	if (!g.shadow[0])
		tag = TAG_SHADOW;
	else if (!g.loaded[0])
		tag = TAG_LOADED;
	else if (plan->floats)
		tag = sum_tag(f, r->mask, g.word);
	memcpy(row, g.word, sizeof(*row) * WARP_LANES);
	if (plan->op == OP_LD) {
		f->last = (f->last + 1) % LOADS_KEPT;
		memcpy(f->loaded[f->last], g.word, sizeof(*row) * WARP_LANES);
	}
	if (tag != TAG_GIVEN)
		return tag;
	shadow = __builtin_popcount(g.shadow[0]) <=
		 __builtin_popcount(g.loaded[0]);
	if ((shadow ? g.shadow : g.loaded)[0] != UINT32_MAX)
		tag = shadow ? TAG_SHADOW_BITS : TAG_LOADED_BITS;
	put_misses(w, &g, shadow ? g.shadow : g.loaded, tag != TAG_GIVEN);
	return tag;
}

/* Chooses the tag of a request of any kind; writes its misses after it. */
static uint8_t guess_tag(struct warp_writer *w, const struct site_plan *plan,
			 const struct trace_request *r,
			 const struct pattern_lanes *lanes)
{
	struct guesses g;
	uint32_t misses;
	uint8_t tag;
	bool shadow;

	guess_words(&w->predictor, plan, r, lanes, &g);
	shadow = g.by_shadow <= g.by_loaded;
	misses = MIN(g.by_shadow, g.by_loaded);
	if (misses && plan->floats) {
		tag = sum_tag(&w->predictor, r->mask, g.word);
		if (tag != TAG_GIVEN)
			return tag;
	}
	if (misses == 0)
		tag = shadow ? TAG_SHADOW : TAG_LOADED;
	else if (misses < g.count)
		tag = shadow ? TAG_SHADOW_BITS : TAG_LOADED_BITS;
	else
		tag = TAG_GIVEN;
	if (misses)
		put_misses(w, &g, shadow ? g.shadow : g.loaded,
			   tag != TAG_GIVEN);
	return tag;
}

void trace_put_values(struct warp_writer *w, const struct site_state *s,
		      const struct trace_request *r)
{
	const struct pattern_lanes *lanes = &w->patterns[s->last.pattern];
	uint32_t *row = shadow_row(&w->predictor, &s->plan, lanes,
				   s->last.base);
	uint8_t tag = row ? row_tag(w, &s->plan, r, row) :
			    guess_tag(w, &s->plan, r, lanes);

	put_bytes(&w->column[COLUMN_TAG], &tag, 1);
	w->word_seen += lanes->count * s->plan.words;
}
