/*
 * trace_write_warp: writes the requests of a warp into its current chunk. The
 * format, and what the writer shares with the reader, is in trace_format.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "trace/trace_writer.h"

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
			put_varint(b, zigzag_encode(step));
			run = 0;
		}
		step = next - at;
		at = next;
		run++;
	}
	if (run) {
		put_varint(b, run);
		put_varint(b, zigzag_encode(step));
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

void chunk_pack(struct warp_writer *w, struct bytes *raw)
{
	for (size_t i = 0; i < w->pattern_count; i++)
		put_pattern(&w->column[COLUMN_PATTERNS], &w->patterns[i]);
	put_planes(&w->column[COLUMN_WORDS], w->words, w->word_count);
	raw->len = 0;
	put_varint(raw, w->number);
	put_varint(raw, w->requests - w->count);
	put_varint(raw, w->count);
	put_varint(raw, w->pattern_count);
	for (int i = 0; i < COLUMN_COUNT; i++)
		put_varint(raw, w->column[i].len);
	for (int i = 0; i < COLUMN_COUNT; i++)
		put_bytes(raw, w->column[i].data, w->column[i].len);
}

void chunk_clear(struct warp_writer *w)
{
	for (int i = 0; i < COLUMN_COUNT; i++)
		w->column[i].len = 0;
	if (w->pattern_count)
		memset(w->pattern_slot, 0, sizeof(w->pattern_slot));
	if (w->word_seen) {
		memset(&w->predictor, 0, sizeof(w->predictor));
		memset(&w->dictionary, 0, sizeof(w->dictionary));
	}
	w->pattern_count = 0;
	w->word_count = w->word_seen = 0;
	w->count = w->events = w->pattern_lanes = 0;
	if (++w->epoch == 0)
		fatal("a trace of more than 2^32 chunks");
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
	p->row = r->mask == UINT32_MAX;
	for (uint32_t m = r->mask; m; m &= m - 1) {
		int l = __builtin_ctz(m);
		int64_t rel = (int64_t)(r->offset[l] - base);

		p->rel[l] = (uint64_t)rel;
		p->row = p->row && rel == 4 * l;
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

/* Returns the number of the request's pattern; adds it if it is new. */
static uint32_t pattern_number(struct warp_writer *w,
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

/* Checks a request's site and array, and prepares its state. Returns NULL, or
 * words that complete "expected ...". */
static const char *site_enter(struct warp_writer *w,
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
	return s->plan.too_wide ? _("an array as wide as the access") : NULL;
}

static const char *lanes_wrong(struct warp_writer *w,
			       const struct trace_info *info, uint32_t mask)
{
	if (!w->lanes) {
		const char *wrong = trace_launch_wrong(info);

		if (wrong)
			return wrong;
		if (w->block >= trace_blocks(info))
			return _("a block of the grid");
		w->lanes = trace_warp_lanes(info, w->warp);
	}
	return mask == 0 || (mask & ~w->lanes) ? _("lanes of the warp") : NULL;
}

static void add_barrier(struct warp_writer *w)
{
	put_varint(&w->barrier_list, w->since_barrier);
	w->barriers++;
	w->since_barrier = 0;
}

/* Chooses and notes pattern and base; what is wrong with them, or NULL. */
static const char *enter_pattern(struct warp_writer *w,
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
			   zigzag_encode(base - s->last.base));
	s->last.base = base;
	return NULL;
}

const char *warp_writer_add(struct warp_writer *w, const struct trace_info *info,
			    const struct trace_request *r, bool values)
{
	const char *wrong = lanes_wrong(w, info, r->mask);
	struct site_state *s;

	if (!wrong && (r->site >= w->site_capacity ||
		       w->sites[r->site].last.epoch != w->epoch))
		wrong = site_enter(w, info, r->site);
	if (!wrong && w->requests == UINT32_MAX)
		wrong = _("fewer requests");
	if (!wrong)
		wrong = enter_pattern(w, r);
	if (wrong)
		return wrong;
	s = &w->sites[r->site];
	put_varint(&w->column[COLUMN_SITE], r->site);
	if (s->plan.op == OP_BARRIER)
		add_barrier(w);
	else
		w->since_barrier++;
	if (values && s->plan.words)
		trace_put_values(w, s, r);
	w->requests++;
	w->count++;
	w->events += w->patterns[s->last.pattern].count;
	return NULL;
}

struct warp_writer *warp_writer_new(void)
{
	struct warp_writer *w = xcalloc(1, sizeof(*w));

	w->epoch = 1;
	w->words = xcalloc(CHUNK_WORDS + WARP_LANES * 4, sizeof(*w->words));
	return w;
}

void warp_writer_free(struct warp_writer *w)
{
	for (int i = 0; i < COLUMN_COUNT; i++)
		free(w->column[i].data);
	free(w->chunk_list.data);
	free(w->barrier_list.data);
	free(w->out.data);
	free(w->sites);
	free(w->patterns);
	free(w->words);
	free(w);
}
