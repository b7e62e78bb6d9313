/*
 * trace_unpack: unpacks a chunk from bytes to columns of which every request is
 * in bounds. The reader predicts values like the writer, so it finds the same
 * ones.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "trace/trace_file.h"

/* A chunk's columns, while it is unpacked. */
struct unpack {
	struct trace *t;
	const struct chunk_entry *c;
	struct chunk *chunk;
	struct in column[COLUMN_COUNT];
	size_t pattern_count, word_count, words_given;
	uint32_t phase, events, lanes;
	const char *wrong;
};

void trace_chunk_free(struct chunk *c)
{
	free(c->site);
	free(c->pattern);
	free(c->value_at);
	free(c->base);
	free(c->patterns);
	free(c->words);
	free(c);
}

static const char *unpack_head(struct unpack *u, struct in *in)
{
	size_t lengths[COLUMN_COUNT];

	if (in_varint(in) != u->c->warp || in_varint(in) != u->c->first ||
	    in_varint(in) != u->c->count)
		return _("the warp and requests that the index says");
	u->pattern_count = in_limited(in, u->c->count,
				      _("at most a pattern a request"));
	for (int i = 0; i < COLUMN_COUNT; i++)
		lengths[i] = in_limited(in, CHUNK_RAW_MAX, _("short columns"));
	for (int i = 0; i < COLUMN_COUNT; i++) {
		if (lengths[i] > in_left(in))
			return _("columns as long as they say");
		u->column[i] = (struct in){ in->p, in->p + lengths[i], NULL };
		in->p += lengths[i];
	}
	if (in->wrong)
		return in->wrong;
	if (in->p != in->end)
		return _("an end of the columns");
	u->words_given = lengths[COLUMN_CODES];
	if (lengths[COLUMN_WORDS] % 4)
		return _("four bytes a word");
	return NULL;
}

static void unpack_pattern(struct in *in, struct pattern_lanes *p)
{
	uint64_t at = 0, step = 0, run = 0;

	memset(p, 0, sizeof(*p));
	if (in_left(in) < 4) {
		in_wrong(in, _("a mask of 4 bytes"));
		return;
	}
	p->mask = get_u32(in->p);
	in->p += 4;
	if (!p->mask) {
		in_wrong(in, _("patterns with lanes"));
		return;
	}
	p->count = __builtin_popcount(p->mask);
	for (uint32_t m = p->mask & (p->mask - 1); m; m &= m - 1) {
		int64_t rel;

		if (run == 0) {
			run = in_limited(in, WARP_LANES, _("runs of lanes"));
			step = zigzag_decode(in_varint(in));
			if (run == 0) {
				in_wrong(in, _("runs of lanes"));
				return;
			}
		}
		at += step;
		rel = (int64_t)at;
		p->rel[__builtin_ctz(m)] = at;
		p->lowest = MIN(p->lowest, rel);
		p->highest = MAX(p->highest, rel);
		run--;
	}
	if (run)
		in_wrong(in, _("runs of the active lanes only"));
}

static const char *unpack_patterns(struct unpack *u)
{
	struct in *in = &u->column[COLUMN_PATTERNS];

	for (size_t i = 0; i < u->pattern_count && !in->wrong; i++) {
		struct pattern_lanes *p = &u->chunk->patterns[i];

		unpack_pattern(in, p);
		if (p->mask & ~u->lanes)
			in_wrong(in, _("lanes that the warp has"));
	}
	return in->wrong;
}

/* Reads site, pattern and base of request i, and counts its events and words.
 * Returns NULL, or words that complete "expected ...". */
static const char *unpack_request(struct unpack *u, uint32_t i)
{
	struct trace *t = u->t;
	struct chunk *c = u->chunk;
	uint64_t site = in_varint(&u->column[COLUMN_SITE]);
	uint64_t number = in_varint(&u->column[COLUMN_PATTERN]);
	const struct site_plan *plan;
	struct site_last *last;

	if (site >= t->info.site_count)
		return _("sites of the table");
	plan = &t->plans[site];
	last = &t->last[site];
	if (last->epoch != t->epoch)
		*last = (struct site_last){ t->epoch, UINT32_MAX, 0 };
	number = number ? number - 1 : last->pattern;
	if (number >= u->pattern_count)
		return _("patterns of the chunk");
	last->pattern = (uint32_t)number;
	c->site[i] = (uint32_t)site;
	c->pattern[i] = (uint32_t)number;
	c->value_at[i] = (uint32_t)u->word_count;
	u->events += c->patterns[number].count;
	if (!op_has_array(plan->op))
		return NULL;
	last->base += zigzag_decode(in_varint(&u->column[COLUMN_BASE]));
	c->base[i] = last->base;
	if (plan->too_wide ||
	    !trace_within(&c->patterns[number], last->base, plan->limit))
		return _("offsets inside the array");
	if (t->info.values)
		u->word_count += plan->words * c->patterns[number].count;
	return NULL;
}

/* Checks that the chunk has its barriers where the index has them. */
static const char *unpack_barrier(struct unpack *u, uint32_t i)
{
	const struct trace *t = u->t;
	const struct warp_entry *w = &t->warps[u->c->warp];
	bool barrier = t->plans[u->chunk->site[i]].op == OP_BARRIER;
	bool known = u->phase + 1 < w->warp.phases &&
		     t->barriers[w->barrier + u->phase] == u->c->first + i;

	if (barrier != known)
		return _("barriers where the index has them");
	u->phase += barrier;
	return NULL;
}

static const char *unpack_requests(struct unpack *u)
{
	const char *wrong;

	u->phase = u->c->phase;
	for (uint32_t i = 0; i < u->c->count; i++) {
		wrong = unpack_request(u, i);
		if (!wrong)
			wrong = unpack_barrier(u, i);
		if (wrong)
			return wrong;
	}
	if (u->events != u->c->events)
		return _("the events that the index says");
	for (int i = 0; i < COLUMN_TAG; i++)
		if (u->column[i].wrong || u->column[i].p != u->column[i].end)
			return _("columns as long as their requests");
	return NULL;
}

/* Reads the words that were not predicted, from their codes and planes. The
 * caller may read one word past the last. */
static const char *unpack_given(struct unpack *u)
{
	const uint8_t *code = u->column[COLUMN_CODES].p;
	const uint8_t *p = u->column[COLUMN_WORDS].p;
	size_t n = in_left(&u->column[COLUMN_WORDS]) / 4, at = 0;
	struct dictionary known = { { 0 } };
	uint32_t *out;

	grow(&u->t->given, &u->t->given_capacity, u->words_given + 1,
	     sizeof(*out));
	out = u->t->given;
	for (size_t i = 0; i < u->words_given; i++) {
		uint32_t word = known.word[code[i]];

		if (!code[i]) {
			if (at == n)
				return _("a word for each code of 0");
			word = p[at] | p[n + at] << 8 | p[n * 2 + at] << 16 |
			       (uint32_t)p[n * 3 + at] << 24;
			known.word[dictionary_code(word)] = word;
			at++;
		}
		out[i] = word;
	}
	out[u->words_given] = 0;
	return at == n ? NULL : _("a code of 0 for each word");
}

/*
 * Unpacks the words of one request; `misses` has a bit for each that was
 * predicted wrongly. Misses are as good as random, so the loop does not branch
 * on them.
 */
static inline bool unpack_words(struct unpack *u, const uint32_t *given,
				const struct site_plan *plan, uint32_t i,
				bool by_loaded, const uint32_t misses[4],
				uint32_t words, uint32_t shift, bool registers)
{
	const struct chunk *c = u->chunk;
	const struct pattern_lanes *p = &c->patterns[c->pattern[i]];
	struct predictor *f = u->t->predictor;
	uint32_t next = (f->last + 1) % LOADS_KEPT;
	const uint32_t *loaded = f->loaded[f->last];
	uint32_t *load = plan->op == OP_LD ? f->loaded[next] : f->nothing;
	uint32_t *out = c->words + c->value_at[i];
	uint64_t base = c->base[i];
	uint32_t k = 0, all = 0;

	for (uint32_t m = p->mask; m; m &= m - 1) {
		uint32_t l = __builtin_ctz(m);

		for (uint32_t j = 0; j < words; j++, k++) {
			uint32_t *slot = f->shadow +
				shadow_slot(plan, registers, shift,
					    base + p->rel[l], j, l);
			uint32_t missed = misses[k / 32] >> k % 32 & 1;
			uint32_t v = by_loaded ?
				     loaded[j * WARP_LANES + l] : *slot;

			v = missed ? *given : v;
			given += missed;
			*slot = v;
			load[j * WARP_LANES + l] = v;
			out[k] = v;
			all |= v;
		}
	}
	if (plan->op == OP_LD)
		f->last = next;
	return !(all & ~plan->bits);
}

/* A store that is predicted as a sum. */
static void unpack_sum(struct unpack *u, const struct site_plan *plan,
		       uint32_t i, uint32_t addend)
{
	const struct chunk *c = u->chunk;
	const struct pattern_lanes *p = &c->patterns[c->pattern[i]];
	struct predictor *f = u->t->predictor;
	uint32_t *out = c->words + c->value_at[i], sums[WARP_LANES];

	predictor_sums(f, addend, sums);
	for (uint32_t m = p->mask; m; m &= m - 1) {
		uint32_t l = __builtin_ctz(m);
		uint32_t slot = shadow_slot(plan, plan->registers, plan->shift,
					    c->base[i] + p->rel[l], 0, l);

		f->shadow[slot] = sums[l];
		*out++ = sums[l];
	}
}

/* Unpacks a row of the shadow memory with one tag for all of it; see
 * shadow_row(). */
static void unpack_row(struct unpack *u, const struct site_plan *plan,
		       uint32_t i, uint8_t tag, uint32_t *row)
{
	struct predictor *f = u->t->predictor;
	uint32_t *out = u->chunk->words + u->chunk->value_at[i];

	if (tag >= TAG_SUM)
		predictor_sums(f, tag - TAG_SUM, out);
	else
		memcpy(out, tag == TAG_SHADOW ? row : f->loaded[f->last],
		       WARP_LANES * sizeof(*out));
	memcpy(row, out, WARP_LANES * sizeof(*out));
	if (plan->op == OP_LD) {
		f->last = (f->last + 1) % LOADS_KEPT;
		memcpy(f->loaded[f->last], out, WARP_LANES * sizeof(*out));
	}
}

/* Reads tag and bits; false when the columns end too soon. */
static bool unpack_tag(struct unpack *u, uint32_t count, uint8_t *tag,
		       uint32_t misses[4])
{
	struct in *bits = &u->column[COLUMN_BITS];
	struct in *tags = &u->column[COLUMN_TAG];
	size_t n = (count + 7) / 8;
	uint8_t set[16] = { 0 };

	if (!in_left(tags) || *tags->p >= TAG_COUNT)
		return false;
	*tag = *tags->p++;
	if (*tag == TAG_SHADOW_BITS || *tag == TAG_LOADED_BITS) {
		if (in_left(bits) < n)
			return false;
		memcpy(set, bits->p, n);
		bits->p += n;
	} else if (*tag == TAG_GIVEN) {
		memset(set, 0xFF, n);
	}
	if (count % 8)
		set[n - 1] &= (1u << count % 8) - 1;
	for (int i = 0; i < 4; i++)
		misses[i] = get_u32(set + 4 * i);
	return true;
}

static const char *unpack_value(struct unpack *u, uint32_t i, size_t *at)
{
	const struct chunk *c = u->chunk;
	const struct site_plan *plan = &u->t->plans[c->site[i]];
	const struct pattern_lanes *lanes = &c->patterns[c->pattern[i]];
	const uint32_t *given = u->t->given + *at;
	uint32_t count = plan->words * lanes->count, misses[4], n = 0;
	uint32_t *row = shadow_row(u->t->predictor, plan, lanes, c->base[i]);
	bool loaded, fits;
	uint8_t tag;

	if (!count)
		return NULL;
	if (!unpack_tag(u, count, &tag, misses))
		return _("a tag and its bits for each request");
	if (tag >= TAG_SUM && tag < TAG_SHADOW_BITS && !plan->floats)
		return _("sums for stores of floats only");
	if (row && tag < TAG_SHADOW_BITS) {
		unpack_row(u, plan, i, tag, row);
		return NULL;
	}
	if (tag >= TAG_SUM && tag < TAG_SHADOW_BITS) {
		unpack_sum(u, plan, i, tag - TAG_SUM);
		return NULL;
	}
	for (int j = 0; tag >= TAG_SHADOW_BITS && j < 4; j++)
		n += __builtin_popcount(misses[j]);
	if (n > u->words_given - *at)
		return _("as many words as are missed");
	*at += n;
	loaded = tag == TAG_LOADED || tag == TAG_LOADED_BITS;
	if (plan->words == 1 && plan->shift == 2 && !plan->registers)
		fits = unpack_words(u, given, plan, i, loaded, misses, 1, 2,
				    false);
	else
		fits = unpack_words(u, given, plan, i, loaded, misses,
				    plan->words, plan->shift, plan->registers);
	return fits ? NULL : _("values as wide as the access");
}

static const char *unpack_values(struct unpack *u)
{
	const char *wrong = unpack_given(u);
	size_t at = 0;

	memset(u->t->predictor, 0, sizeof(*u->t->predictor));
	for (uint32_t i = 0; !wrong && i < u->c->count; i++)
		wrong = unpack_value(u, i, &at);
	if (wrong)
		return wrong;
	if (at != u->words_given || in_left(&u->column[COLUMN_TAG]) ||
	    in_left(&u->column[COLUMN_BITS]))
		return _("no values without requests");
	return NULL;
}

static const char *unpack_chunk(struct unpack *u, struct in *in)
{
	const char *wrong = unpack_head(u, in);
	struct chunk *c = u->chunk;
	size_t n = u->c->count;

	if (wrong)
		return wrong;
	c->patterns = xmalloc(u->pattern_count * sizeof(*c->patterns));
	c->site = xmalloc(n * sizeof(*c->site));
	c->pattern = xmalloc(n * sizeof(*c->pattern));
	c->value_at = xmalloc(n * sizeof(*c->value_at));
	c->base = xcalloc(n, sizeof(*c->base));
	wrong = unpack_patterns(u);
	if (!wrong)
		wrong = unpack_requests(u);
	if (!wrong && u->word_count > CHUNK_WORDS + WARP_LANES * 4)
		wrong = _("fewer values");
	if (wrong)
		return wrong;
	c->words = xmalloc(u->word_count * sizeof(*c->words));
	c->bytes = sizeof(*c) + u->pattern_count * sizeof(*c->patterns) +
		   n * (3 * sizeof(uint32_t) + sizeof(uint64_t)) +
		   u->word_count * sizeof(*c->words);
	if (u->t->info.values)
		return unpack_values(u);
	for (int i = COLUMN_TAG; i < COLUMN_COUNT; i++)
		if (in_left(&u->column[i]))
			return _("no values");
	return NULL;
}

struct chunk *trace_chunk_read(struct trace *t, struct chunk_entry *c,
			       struct error *e)
{
	struct unpack u = { .t = t, .c = c };
	const char *wrong;
	struct in in;
	ssize_t n = trace_block_read(t, c->offset, GVT_CHUNK, c->bytes,
				     CHUNK_RAW_MAX, e);

	if (n < 0)
		return NULL;
	in = (struct in){ t->raw, t->raw + n, NULL };
	/* The first chunk's is 1, so that cleared sites are not of it. */
	if (++t->epoch == 0) {
		memset(t->last, 0, t->info.site_count * sizeof(*t->last));
		t->epoch = 1;
	}
	u.lanes = trace_warp_lanes(&t->info, t->warps[c->warp].warp.warp);
	u.chunk = xcalloc(1, sizeof(*u.chunk));
	u.chunk->entry = c - t->entries;
	wrong = unpack_chunk(&u, &in);
	if (!wrong)
		return u.chunk;
	trace_bad(t, e, c->offset, _("a chunk with %s"), wrong);
	trace_chunk_free(u.chunk);
	return NULL;
}
