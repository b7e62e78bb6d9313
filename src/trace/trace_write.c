/*
 * trace_write: requests into a stream of chunks. The format and what is
 * shared with the reader is in trace_format.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <zstd.h>

#include "base/lang.h"
#include "trace/finding.h"
#include "trace/trace_format.h"

/* Higher levels take a few per cent off the size and twice the time. */
#define ZSTD_LEVEL 1
#define VARINT_MAX 10
#define PATTERN_SLOTS (CHUNK_REQUESTS * 4)

struct bytes {
	uint8_t *data;
	size_t len, capacity;
};

/* A site as the current chunk knows it. */
struct site_state {
	struct site_last last;
	struct site_plan plan;
};

struct trace_writer {
	int fd;
	bool values;
	struct error failure;	/* the first; status 0 while there is none */
	uint64_t written;
	ZSTD_CCtx *zstd;

	/* The current warp, and lists for its place in the index. */
	bool in_warp;
	uint32_t block, warp, lanes;	/* lanes: 0 until the first request */
	uint32_t warps;			/* ended before it */
	uint32_t requests, since_barrier, chunks, barriers;
	struct bytes chunk_list, barrier_list, index;
	uint32_t last_block;		/* of the warp before */

	/* The current chunk. */
	uint32_t epoch, count, events, pattern_lanes;
	struct bytes column[COLUMN_COUNT];
	struct site_state *sites;
	size_t site_capacity;
	struct pattern_lanes *patterns;
	size_t pattern_count, pattern_capacity;
	uint16_t pattern_slot[PATTERN_SLOTS];	/* number + 1 */
	uint32_t *words;
	size_t word_count, word_seen;
	struct foretell foretell;
	struct seen seen;
	struct bytes raw, out;
};

/* Room for n more bytes; never NULL. */
static uint8_t *bytes_room(struct bytes *b, size_t n)
{
	if (b->capacity - b->len <= n)
		grow(&b->data, &b->capacity, b->len + n + 1, 1);
	return b->data + b->len;
}

static void put_bytes(struct bytes *b, const void *data, size_t n)
{
	uint8_t *room = bytes_room(b, n);

	if (n)
		memcpy(room, data, n);
	b->len += n;
}

static void put_varint(struct bytes *b, uint64_t v)
{
	uint8_t *p = bytes_room(b, VARINT_MAX);

	while (v >= 0x80) {
		*p++ = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	*p++ = (uint8_t)v;
	b->len = p - b->data;
}

static void put_string(struct bytes *b, const char *s)
{
	size_t n = s ? strlen(s) : 0;

	put_varint(b, n);
	put_bytes(b, s, n);
}

/* ---- output ---- */

static int writer_fail(struct trace_writer *w, struct error *e)
{
	if (e)
		*e = w->failure;
	return -1;
}

static int writer_output(struct trace_writer *w, const void *data, size_t n,
			 struct error *e)
{
	if (w->failure.status)
		return writer_fail(w, e);
	if (write_all(w->fd, data, n) < 0) {
		error_set(&w->failure, EXIT_OUTPUT,
			  _("the trace could not be written: %s"),
			  strerror(errno));
		return writer_fail(w, e);
	}
	w->written += n;
	return 0;
}

static int writer_header(struct trace_writer *w, struct error *e)
{
	uint8_t header[GVT_HEADER] = GVT_MAGIC;

	if (w->written)
		return 0;
	put_u32(header + 8, GVT_VERSION |
			    (w->values ? GVT_VALUES : 0) << 16);
	put_u32(header + 12, 0);
	return writer_output(w, header, sizeof(header), e);
}

/* One zstd frame behind a tag and its length. */
static int writer_block(struct trace_writer *w, uint32_t tag,
			const struct bytes *raw, struct error *e)
{
	size_t bound = ZSTD_compressBound(raw->len), n;

	w->out.len = 0;
	bytes_room(&w->out, GVT_BLOCK + bound);
	n = ZSTD_compress2(w->zstd, w->out.data + GVT_BLOCK, bound, raw->data,
			   raw->len);
	if (ZSTD_isError(n))
		fatal("zstd: %s", ZSTD_getErrorName(n));
	put_u32(w->out.data, tag);
	put_u32(w->out.data + 4, (uint32_t)n);
	w->out.len = GVT_BLOCK + n;
	if (writer_header(w, e) < 0)
		return -1;
	return writer_output(w, w->out.data, w->out.len, e);
}

/* ---- chunks ---- */

static void put_pattern(struct bytes *b, const struct pattern_lanes *p)
{
	uint32_t left = p->mask & (p->mask - 1);
	uint64_t at = 0, step = 0;
	uint32_t run = 0;

	put_u32(bytes_room(b, 4), p->mask);
	b->len += 4;
	for (; left; left &= left - 1) {
		uint64_t next = p->rel[__builtin_ctz(left)];

		if (run && next - at != step) {
			put_varint(b, run);
			put_varint(b, zigzag(step));
			run = 0;
		}
		step = next - at;
		at = next;
		run++;
	}
	if (run) {
		put_varint(b, run);
		put_varint(b, zigzag(step));
	}
}

static void put_planes(struct bytes *b, const uint32_t *words, size_t count)
{
	uint8_t *p = bytes_room(b, count * 4);

	for (size_t i = 0; i < count; i++) {
		p[i] = (uint8_t)words[i];
		p[count + i] = (uint8_t)(words[i] >> 8);
		p[count * 2 + i] = (uint8_t)(words[i] >> 16);
		p[count * 3 + i] = (uint8_t)(words[i] >> 24);
	}
	b->len += count * 4;
}

static void chunk_pack(struct trace_writer *w)
{
	struct bytes *raw = &w->raw;

	for (size_t i = 0; i < w->pattern_count; i++)
		put_pattern(&w->column[COLUMN_PATTERNS], &w->patterns[i]);
	put_planes(&w->column[COLUMN_WORDS], w->words, w->word_count);
	raw->len = 0;
	put_varint(raw, w->warps);
	put_varint(raw, w->requests - w->count);
	put_varint(raw, w->count);
	put_varint(raw, w->pattern_count);
	for (int i = 0; i < COLUMN_COUNT; i++)
		put_varint(raw, w->column[i].len);
	for (int i = 0; i < COLUMN_COUNT; i++)
		put_bytes(raw, w->column[i].data, w->column[i].len);
}

static void chunk_clear(struct trace_writer *w)
{
	for (int i = 0; i < COLUMN_COUNT; i++)
		w->column[i].len = 0;
	if (w->pattern_count)
		memset(w->pattern_slot, 0, sizeof(w->pattern_slot));
	if (w->word_seen) {
		memset(&w->foretell, 0, sizeof(w->foretell));
		memset(&w->seen, 0, sizeof(w->seen));
	}
	w->pattern_count = 0;
	w->word_count = w->word_seen = 0;
	w->count = w->events = w->pattern_lanes = 0;
	if (++w->epoch == 0)
		fatal("a trace of more than 2^32 chunks");
}

static int chunk_flush(struct trace_writer *w, struct error *e)
{
	if (!w->count)
		return 0;
	chunk_pack(w);
	if (writer_block(w, GVT_CHUNK, &w->raw, e) < 0)
		return -1;
	put_varint(&w->chunk_list, w->out.len);
	put_varint(&w->chunk_list, w->count);
	put_varint(&w->chunk_list, w->events);
	w->chunks++;
	chunk_clear(w);
	return 0;
}

/* ---- requests ---- */

static bool pattern_same(const struct pattern_lanes *p,
			 const struct trace_request *r, uint64_t base)
{
	uint64_t difference = 0;

	if (p->mask != r->mask)
		return false;
	if (r->mask == UINT32_MAX) {
		for (int l = 0; l < WARP_LANES; l++)
			difference |= (r->offset[l] - base) ^ p->rel[l];
		return difference == 0;
	}
	for (uint32_t m = r->mask; m; m &= m - 1) {
		int l = __builtin_ctz(m);

		difference |= (r->offset[l] - base) ^ p->rel[l];
	}
	return difference == 0;
}

static void pattern_of(struct pattern_lanes *p, const struct trace_request *r,
		       uint64_t base)
{
	memset(p, 0, sizeof(*p));
	p->mask = r->mask;
	p->count = __builtin_popcount(r->mask);
	for (uint32_t m = r->mask; m; m &= m - 1) {
		int l = __builtin_ctz(m);
		int64_t rel = (int64_t)(r->offset[l] - base);

		p->rel[l] = (uint64_t)rel;
		p->lowest = MIN(p->lowest, rel);
		p->highest = MAX(p->highest, rel);
	}
}

static uint32_t pattern_hash(const struct pattern_lanes *p)
{
	uint64_t h = p->mask, g = 0;

	for (int l = 0; l < WARP_LANES; l += 2) {
		h = (h ^ p->rel[l]) * 0x9E3779B97F4A7C15u;
		g = (g ^ p->rel[l + 1]) * 0xC2B2AE3D27D4EB4Fu;
	}
	h ^= g >> 29 ^ g << 11;
	return (uint32_t)((h * 0x9E3779B97F4A7C15u) >> 40) % PATTERN_SLOTS;
}

/* The number of the request's pattern, new or known. */
static uint32_t pattern_number(struct trace_writer *w,
			       const struct trace_request *r, uint64_t base)
{
	struct pattern_lanes *p;
	uint32_t slot;

	grow(&w->patterns, &w->pattern_capacity, w->pattern_count + 1,
	     sizeof(*w->patterns));
	p = &w->patterns[w->pattern_count];
	pattern_of(p, r, base);
	slot = pattern_hash(p);
	while (w->pattern_slot[slot]) {
		uint32_t number = w->pattern_slot[slot] - 1u;

		if (pattern_same(&w->patterns[number], r, base))
			return number;
		slot = (slot + 1) % PATTERN_SLOTS;
	}
	w->pattern_slot[slot] = (uint16_t)++w->pattern_count;
	w->pattern_lanes += p->count;
	return (uint32_t)w->pattern_count - 1;
}

/* Words of one request, and which of them each way of foretelling missed. */
struct guesses {
	uint32_t count, by_shadow, by_loaded;	/* words, misses */
	uint32_t shadow[4], loaded[4];		/* a bit for each miss */
	uint32_t word[WARP_LANES * 4];
};

/* Foretells, compares and learns words k to k + 31; returns the next k. This
 * is where a recorder's time goes: no branches, bits in registers. */
static inline uint32_t guess_run(struct foretell *f,
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
static bool row_known(const struct foretell *f, const struct site_plan *plan,
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
static void guess_row(struct foretell *f, const struct site_plan *plan,
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

static void guess(struct foretell *f, const struct site_plan *plan,
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
static uint8_t sum_tag(const struct foretell *f, uint32_t mask,
		       const uint32_t *words)
{
	uint32_t sums[WARP_LANES];

	for (uint32_t addend = 0; addend < LOADS_KEPT; addend++) {
		foretell_sums(f, addend, sums);
		if (sum_same(sums, mask, words))
			return (uint8_t)(TAG_SUM + addend);
	}
	return TAG_GIVEN;
}

/* The common case at the speed of a copy: one tag for a row of the shadow
 * memory; TAG_GIVEN, and nothing learnt, when there is none. */
static uint8_t row_tag(struct foretell *f, const struct site_plan *plan,
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
	*code = seen_code(word);
	if (w->seen.word[*code] == word)
		return;
	w->seen.word[*code] = word;
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

	guess(&w->foretell, plan, r, &g);
	shadow = g.by_shadow <= g.by_loaded;
	misses = MIN(g.by_shadow, g.by_loaded);
	if (misses && plan->floats) {
		*tag = sum_tag(&w->foretell, r->mask, g.word);
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

static void add_values(struct trace_writer *w, const struct site_state *s,
		       const struct trace_request *r)
{
	const struct pattern_lanes *lanes = &w->patterns[s->last.pattern];
	uint32_t *row = shadow_row(&w->foretell, &s->plan, lanes,
				   s->last.base);
	uint8_t tag = TAG_GIVEN;

	if (row)
		tag = row_tag(&w->foretell, &s->plan, r, row);
	if (tag == TAG_GIVEN)
		guess_tag(w, &s->plan, r, &tag);
	put_bytes(&w->column[COLUMN_TAG], &tag, 1);
	w->word_seen += lanes->count * s->plan.words;
}

/* What is wrong with a request that names this site, or NULL. */
static const char *site_enter(struct trace_writer *w,
			      const struct trace_info *info, uint32_t site)
{
	struct site_state *s;
	const char *wrong;
	size_t known = w->site_capacity;

	if (site >= info->site_count)
		return "a site of the table";
	wrong = trace_site_wrong(&info->sites[site], info->array_count);
	if (!wrong && op_has_array(info->sites[site].op))
		wrong = trace_array_wrong(
				&info->arrays[info->sites[site].array]);
	if (wrong)
		return wrong;
	grow(&w->sites, &w->site_capacity, (size_t)site + 1,
	     sizeof(*w->sites));
	memset(w->sites + known, 0,
	       (w->site_capacity - known) * sizeof(*w->sites));
	s = &w->sites[site];
	s->plan = trace_site_plan(info, site);
	s->last = (struct site_last){ .epoch = w->epoch,
				      .pattern = UINT32_MAX };
	return s->plan.too_wide ? "an array as wide as the access" : NULL;
}

static const char *lanes_wrong(struct trace_writer *w,
			       const struct trace_info *info, uint32_t mask)
{
	if (!w->lanes) {
		const char *wrong = trace_launch_wrong(info);

		if (wrong)
			return wrong;
		if (w->block >= trace_blocks(info))
			return "a block of the grid";
		w->lanes = trace_warp_lanes(info, w->warp);
	}
	return mask == 0 || (mask & ~w->lanes) ? "lanes of the warp" : NULL;
}

static void add_barrier(struct trace_writer *w)
{
	put_varint(&w->barrier_list, w->since_barrier);
	w->barriers++;
	w->since_barrier = 0;
}

/* Chooses and notes pattern and base; what is wrong with them, or NULL. */
static const char *add_lanes(struct trace_writer *w,
			     const struct trace_request *r)
{
	struct site_state *s = &w->sites[r->site];
	bool bare = !op_has_array(s->plan.op);
	struct trace_request lanes;
	uint64_t base = 0;
	uint32_t number;

	if (bare) {
		lanes = (struct trace_request){ .mask = r->mask };
		r = &lanes;
	} else {
		base = r->offset[__builtin_ctz(r->mask)];
	}
	number = s->last.pattern;
	if (number == UINT32_MAX || !pattern_same(&w->patterns[number], r,
						  base))
		number = pattern_number(w, r, base);
	if (!bare && !trace_within(&w->patterns[number], base,
					 s->plan.limit))
		return "offsets inside the array";
	put_varint(&w->column[COLUMN_PATTERN],
		   number == s->last.pattern ? 0 : number + 1);
	s->last.pattern = number;
	if (!bare)
		put_varint(&w->column[COLUMN_BASE],
			   zigzag(base - s->last.base));
	s->last.base = base;
	return NULL;
}

static int request_wrong(struct trace_writer *w, const char *wrong,
			 struct error *e)
{
	error_set(&w->failure, EXIT_BUG,
		  "block %" PRIu32 ", warp %" PRIu32 ", request %" PRIu32
		  ": expected %s", w->block, w->warp, w->requests, wrong);
	return writer_fail(w, e);
}

int trace_writer_add(struct trace_writer *w, const struct trace_info *info,
		     const struct trace_request *r, struct error *e)
{
	const char *wrong;
	struct site_state *s;

	if (w->failure.status)
		return writer_fail(w, e);
	wrong = w->in_warp ? lanes_wrong(w, info, r->mask) : "a warp";
	if (!wrong && (r->site >= w->site_capacity ||
		       w->sites[r->site].last.epoch != w->epoch))
		wrong = site_enter(w, info, r->site);
	if (!wrong && w->requests == UINT32_MAX)
		wrong = "fewer requests";
	if (!wrong)
		wrong = add_lanes(w, r);
	if (wrong)
		return request_wrong(w, wrong, e);
	s = &w->sites[r->site];
	put_varint(&w->column[COLUMN_SITE], r->site);
	if (s->plan.op == OP_BARRIER)
		add_barrier(w);
	else
		w->since_barrier++;
	if (w->values && s->plan.words)
		add_values(w, s, r);
	w->requests++;
	w->count++;
	w->events += w->patterns[s->last.pattern].count;
	if (w->count == CHUNK_REQUESTS || w->word_seen >= CHUNK_WORDS ||
	    w->pattern_lanes >= CHUNK_PATTERN_LANES)
		return chunk_flush(w, e);
	return 0;
}

/* ---- warps ---- */

static int warp_end(struct trace_writer *w, struct error *e)
{
	if (!w->in_warp)
		return 0;
	if (chunk_flush(w, e) < 0)
		return -1;
	put_varint(&w->index, w->block - w->last_block);
	put_varint(&w->index, w->warp);
	put_varint(&w->index, w->chunks);
	put_varint(&w->index, w->barriers);
	put_bytes(&w->index, w->chunk_list.data, w->chunk_list.len);
	put_bytes(&w->index, w->barrier_list.data, w->barrier_list.len);
	w->last_block = w->block;
	w->warps++;
	w->in_warp = false;
	return 0;
}

int trace_writer_warp(struct trace_writer *w, uint32_t block, uint32_t warp,
		      struct error *e)
{
	if (w->failure.status)
		return writer_fail(w, e);
	if (warp_end(w, e) < 0)
		return -1;
	if (w->warps && (block < w->block ||
			 (block == w->block && warp <= w->warp)))
		return request_wrong(w, "a later warp", e);
	if (w->warps == TRACE_MAX_WARPS) {
		error_set(&w->failure, EXIT_OUTPUT,
			  _("a trace holds at most %u warps"),
			  TRACE_MAX_WARPS);
		return writer_fail(w, e);
	}
	w->in_warp = true;
	w->block = block;
	w->warp = warp;
	w->lanes = 0;
	w->requests = w->since_barrier = w->chunks = w->barriers = 0;
	w->chunk_list.len = w->barrier_list.len = 0;
	return 0;
}

/* ---- tables, index, trailer ---- */

static void put_dim(struct bytes *b, struct trace_dim d)
{
	put_varint(b, d.x);
	put_varint(b, d.y);
	put_varint(b, d.z);
}

static void put_array(struct bytes *b, const struct trace_array *a)
{
	put_string(b, a->name);
	put_varint(b, a->space);
	put_varint(b, a->elem);
	put_varint(b, a->elem_bytes);
	put_varint(b, a->rank);
	for (uint32_t i = 0; i < a->rank; i++)
		put_varint(b, a->dims[i]);
	put_varint(b, a->base);
}

static void put_tile(struct bytes *b, const struct trace_tile *t)
{
	put_varint(b, t->parts);
	put_varint(b, t->rows);
	put_varint(b, t->columns);
	put_varint(b, t->bytes);
	put_varint(b, t->next);
	put_varint(b, t->pitch);
	put_varint(b, t->swizzle);
	put_varint(b, t->blocks);
}

static void put_access(struct bytes *b, const struct finding_access *a)
{
	put_varint(b, a->line);
	put_varint(b, a->column);
	put_varint(b, a->op);
	put_varint(b, a->bytes);
	put_varint(b, a->block);
	put_varint(b, a->thread);
}

static void put_double(struct bytes *b, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	put_varint(b, bits);
}

static void put_finding(struct bytes *b, const struct trace_finding *f)
{
	if (f->cause == CAUSE_TOLD) {
		put_varint(b, f->kind);
		put_varint(b, f->access.line);
		put_string(b, f->text);
		return;
	}
	put_varint(b, GVT_CAUSE + f->cause);
	put_access(b, &f->access);
	put_access(b, &f->other);
	put_varint(b, f->array == TRACE_NO_ARRAY ? 0 :
		      (uint64_t)f->array + 1);
	put_varint(b, zigzag((uint64_t)f->offset));
	put_string(b, f->word);
	put_string(b, f->other_word);
	for (size_t i = 0; i < finding_numbers(f->cause); i++)
		put_varint(b, f->number[i]);
	put_double(b, f->expected);
	put_double(b, f->got);
	put_varint(b, f->count);
}

static void put_lists(struct bytes *b, const struct trace_info *info)
{
	put_varint(b, info->define_count);
	for (size_t i = 0; i < info->define_count; i++) {
		put_string(b, info->defines[i].name);
		put_string(b, info->defines[i].value);
	}
	put_varint(b, info->array_count);
	for (size_t i = 0; i < info->array_count; i++)
		put_array(b, &info->arrays[i]);
	put_varint(b, info->site_count);
	for (size_t i = 0; i < info->site_count; i++) {
		const struct trace_site *s = &info->sites[i];

		put_varint(b, s->line);
		put_varint(b, s->column);
		put_varint(b, trace_site_code(s) +
			      (s->tile.rows ? GVT_TILE : 0));
		put_varint(b, s->array == TRACE_NO_ARRAY ? 0 :
			      (uint64_t)s->array + 1);
		put_varint(b, s->bytes);
		if (s->tile.rows)
			put_tile(b, &s->tile);
	}
	put_varint(b, info->finding_count);
	for (size_t i = 0; i < info->finding_count; i++)
		put_finding(b, &info->findings[i]);
}

static void put_tables(struct bytes *b, const struct trace_info *info)
{
	put_string(b, info->kernel);
	put_string(b, info->file);
	put_string(b, info->text);
	put_string(b, info->on);
	put_string(b, info->device);
	put_varint(b, info->m);
	put_varint(b, info->n);
	put_varint(b, info->k);
	put_dim(b, info->grid);
	put_dim(b, info->block);
	put_varint(b, info->seed);
	put_varint(b, info->partial);
	put_varint(b, info->spaces);
	put_lists(b, info);
}

/* The reader takes no other tables; see there. */
static const char *tables_wrong(const struct trace_info *info)
{
	const char *wrong = trace_launch_wrong(info);

	if (info->define_count > TRACE_MAX_DEFINES ||
	    info->array_count > TRACE_MAX_ARRAYS ||
	    info->site_count > TRACE_MAX_SITES ||
	    info->finding_count > TRACE_MAX_FINDINGS)
		return "smaller tables";
	for (size_t i = 0; !wrong && i < info->array_count; i++)
		wrong = trace_array_wrong(&info->arrays[i]);
	for (size_t i = 0; !wrong && i < info->site_count; i++)
		wrong = trace_site_wrong(&info->sites[i], info->array_count);
	for (size_t i = 0; !wrong && i < info->finding_count; i++)
		wrong = trace_finding_wrong(info, &info->findings[i]);
	return wrong;
}

static int writer_end(struct trace_writer *w, const struct trace_info *info,
		      struct error *e)
{
	struct bytes index = { 0 };
	uint8_t trailer[GVT_TRAILER] = { 0 };
	const char *wrong = tables_wrong(info);
	int rc = -1;

	w->raw.len = 0;
	put_tables(&w->raw, info);
	if (!wrong && (w->raw.len > TABLES_RAW_MAX ||
		       w->index.len > INDEX_RAW_MAX - VARINT_MAX))
		wrong = "less text or fewer chunks";
	if (wrong)
		return error_set(e, EXIT_BUG, "the trace's tables: expected %s",
				 wrong);
	if (writer_header(w, e) < 0)
		return -1;
	put_u64(trailer, w->written);
	if (writer_block(w, GVT_TABLES, &w->raw, e) < 0)
		return -1;
	put_u64(trailer + 8, w->written);
	put_varint(&index, w->warps);
	put_bytes(&index, w->index.data, w->index.len);
	if (writer_block(w, GVT_INDEX, &index, e) == 0) {
		put_u64(trailer + 16, w->written + GVT_TRAILER);
		memcpy(trailer + 24, GVT_END, 8);
		rc = writer_output(w, trailer, sizeof(trailer), e);
	}
	free(index.data);
	return rc;
}

int trace_writer_finish(struct trace_writer *w, const struct trace_info *info,
			struct error *e)
{
	int rc = -1;

	if (w->failure.status)
		writer_fail(w, e);
	else if (warp_end(w, e) == 0)
		rc = writer_end(w, info, e);
	trace_writer_free(w);
	return rc;
}

struct trace_writer *trace_writer_new(int fd, bool values)
{
	struct trace_writer *w = xcalloc(1, sizeof(*w));

	w->fd = fd;
	w->values = values;
	w->epoch = 1;
	w->words = xcalloc(CHUNK_WORDS + WARP_LANES * 4, sizeof(*w->words));
	w->zstd = ZSTD_createCCtx();
	if (!w->zstd)
		fatal("out of memory");
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
	return w;
}

void trace_writer_free(struct trace_writer *w)
{
	if (!w)
		return;
	for (int i = 0; i < COLUMN_COUNT; i++)
		free(w->column[i].data);
	free(w->chunk_list.data);
	free(w->barrier_list.data);
	free(w->index.data);
	free(w->raw.data);
	free(w->out.data);
	free(w->sites);
	free(w->patterns);
	free(w->words);
	ZSTD_freeCCtx(w->zstd);
	free(w);
}

uint64_t trace_writer_bytes(const struct trace_writer *w)
{
	return w->written;
}
