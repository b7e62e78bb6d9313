/*
 * trace_kinds: blocks that do the same as an earlier one. See trace.h.
 *
 * Chunks are compared as they are packed: all but the first base of each site
 * stands there relative to what is before it. In a chunk's key that base is
 * relative, too: to a round offset where the block begins in the array. A
 * block's key is what the index says of its warps, and its chunks.
 */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "trace/trace_file.h"

/* Different chunks are kept up to here; a trace of more has no blocks that are
 * worth looking for. */
#define KEPT_MOST (64u << 20)

struct kind_search {
	struct trace *t;
	struct map chunks, blocks;
	size_t kept;			/* bytes of these keys */
	/* Of the block, per array: where it begins, if it is used. */
	struct { bool used; uint64_t at; } *begins;
	uint64_t *first;		/* the same of the kinds, one by one */
	size_t first_capacity;
	/* Per site: the number of the last chunk that has it. */
	size_t *seen, number;
	struct bytes chunk, block;
	size_t capacity;		/* of t->kinds */
};

/* ---- keys ---- */

/* Returns a site's first base in a chunk, relative to the round offset where
 * the block begins in the array. */
static uint64_t base_in_block(struct kind_search *s, uint32_t array,
			      uint64_t base)
{
	uint64_t round = TRACE_KIND_ALIGN - 1;

	if (s->t->info.arrays[array].space != SPACE_GLOBAL)
		return base;
	if (!s->begins[array].used) {
		s->begins[array].used = true;
		s->begins[array].at = base & ~round;
	}
	return base - s->begins[array].at;
}

/* Appends the chunk's bases to the key. Returns false for a damaged chunk;
 * trace_get() will report the damage. */
static bool key_bases(struct kind_search *s, uint32_t count, struct in sites,
		      struct in *bases)
{
	const struct trace *t = s->t;

	s->number++;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t site = in_varint(&sites), base;

		if (site >= t->info.site_count)
			return false;
		if (!op_has_array(t->plans[site].op))
			continue;
		base = in_varint(bases);
		if (s->seen[site] != s->number) {
			s->seen[site] = s->number;
			base = zigzag_encode(
				base_in_block(s, t->info.sites[site].array,
					      zigzag_decode(base)));
		}
		put_varint(&s->chunk, base);
	}
	return !sites.wrong && !bases->wrong && bases->p == bases->end;
}

static bool put_chunk(struct kind_search *s, const struct chunk_entry *c,
		      struct in *in)
{
	struct in column[COLUMN_COUNT];
	uint64_t length[COLUMN_COUNT];

	if (in_varint(in) != c->warp || in_varint(in) != c->first ||
	    in_varint(in) != c->count)
		return false;
	put_varint(&s->chunk, c->count);
	put_varint(&s->chunk, in_varint(in));
	for (int i = 0; i < COLUMN_COUNT; i++)
		length[i] = in_varint(in);
	for (int i = 0; i < COLUMN_COUNT; i++) {
		if (in->wrong || length[i] > in_left(in))
			return false;
		column[i] = (struct in){ in->p, in->p + length[i], NULL };
		in->p += length[i];
		if (i < COLUMN_BASE)
			put_varint(&s->chunk, length[i]);
	}
	for (int i = 0; i < COLUMN_BASE; i++)
		put_bytes(&s->chunk, column[i].p, length[i]);
	return key_bases(s, c->count, column[COLUMN_SITE],
			 &column[COLUMN_BASE]);
}

static bool key_chunk(struct kind_search *s, const struct chunk_entry *c)
{
	struct trace *t = s->t;
	struct error ignored;
	ssize_t n = trace_block_read(t, c->offset, GVT_CHUNK, c->bytes,
				     CHUNK_RAW_MAX, &ignored);
	struct in in;
	uint32_t number;

	if (n < 0)
		return false;
	in = (struct in){ t->raw, t->raw + n, NULL };
	s->chunk.len = 0;
	if (!put_chunk(s, c, &in))
		return false;
	number = map_add(&s->chunks, s->chunk.data, s->chunk.len);
	if (number + 1u == s->chunks.count)
		s->kept += s->chunk.len;
	put_varint(&s->block, number);
	put_varint(&s->block, c->events);
	return true;
}

static bool key_warp(struct kind_search *s, const struct warp_entry *w)
{
	put_varint(&s->block, w->warp.warp);
	put_varint(&s->block, w->warp.requests);
	put_varint(&s->block, w->warp.phases);
	put_varint(&s->block, w->chunk_count);
	if (w->warp.phases > 1)
		put_bytes(&s->block, s->t->barriers + w->barrier,
			  (w->warp.phases - 1) * sizeof(*s->t->barriers));
	for (size_t i = 0; i < w->chunk_count; i++)
		if (!key_chunk(s, &s->t->entries[w->chunk + i]))
			return false;
	return true;
}

/* ---- kinds ---- */

static struct trace_kind *kind_new(struct kind_search *s, size_t warp,
				   size_t warps)
{
	struct trace *t = s->t;

	grow(&t->kinds, &s->capacity, t->kind_count + 1, sizeof(*t->kinds));
	t->kinds[t->kind_count] = (struct trace_kind){ warp, warps, 1, NULL };
	return &t->kinds[t->kind_count++];
}

static size_t block_warps(const struct trace *t, size_t warp)
{
	size_t n = 1;

	while (warp + n < t->warp_count &&
	       t->warps[warp + n].warp.block == t->warps[warp].warp.block)
		n++;
	return n;
}

static void shift_add(struct kind_search *s, struct trace_kind *k,
		      size_t number)
{
	const uint64_t *first;

	if (!k->shifts)
		k->shifts = xcalloc(s->t->info.array_count,
				    sizeof(*k->shifts));
	first = s->first + number * s->t->info.array_count;
	for (size_t a = 0; a < s->t->info.array_count; a++) {
		int64_t by = (int64_t)(s->begins[a].at - first[a]);

		k->shifts[a].least = MIN(k->shifts[a].least, by);
		k->shifts[a].most = MAX(k->shifts[a].most, by);
	}
	k->times++;
}

static bool look_at_block(struct kind_search *s, size_t warp, size_t warps)
{
	struct trace *t = s->t;
	size_t arrays = t->info.array_count, known = s->blocks.count;
	uint32_t number;

	memset(s->begins, 0, arrays * sizeof(*s->begins));
	s->block.len = 0;
	for (size_t i = 0; i < warps; i++)
		if (!key_warp(s, &t->warps[warp + i]))
			return false;
	number = map_add(&s->blocks, s->block.data, s->block.len);
	if (number < known) {
		shift_add(s, &t->kinds[number], number);
		return true;
	}
	s->kept += s->block.len;
	grow(&s->first, &s->first_capacity, (known + 1) * arrays,
	     sizeof(*s->first));
	for (size_t a = 0; a < arrays; a++)
		s->first[known * arrays + a] = s->begins[a].at;
	kind_new(s, warp, warps);
	return s->kept <= KEPT_MOST;
}

/* Tests whether a chunk's accesses stay inside their arrays at every block of
 * the kind. */
static bool is_within(struct trace *t, const struct trace_kind *k,
		      const struct chunk_entry *entry, const struct chunk *c)
{
	for (uint32_t i = 0; i < entry->count; i++) {
		const struct site_plan *plan = &t->plans[c->site[i]];
		const struct pattern_lanes *p = &c->patterns[c->pattern[i]];
		struct trace_shift by;

		if (!op_has_array(plan->op))
			continue;
		by = k->shifts[t->info.sites[c->site[i]].array];
		if (!trace_within(p, c->base[i] + (uint64_t)by.least,
				  plan->limit) ||
		    !trace_within(p, c->base[i] + (uint64_t)by.most,
				  plan->limit))
			return false;
	}
	return true;
}

static bool kind_sound(struct trace *t, const struct trace_kind *k)
{
	const struct warp_entry *w = &t->warps[k->warp];
	size_t end = w[k->warps - 1].chunk + w[k->warps - 1].chunk_count;
	bool sound = true;

	for (size_t i = w->chunk; i < end && sound && k->shifts; i++) {
		struct error ignored;
		struct chunk *c = trace_chunk_read(t, &t->entries[i],
						   &ignored);

		sound = c && is_within(t, k, &t->entries[i], c);
		if (c)
			trace_chunk_free(c);
	}
	return sound;
}

static void kinds_clear(struct trace *t)
{
	for (size_t i = 0; i < t->kind_count; i++)
		free(t->kinds[i].shifts);
	t->kind_count = 0;
}

/* Groups all blocks into kinds. Returns false when a block is damaged, or when
 * too few blocks are alike. */
static bool kinds_find(struct kind_search *s)
{
	struct trace *t = s->t;

	for (size_t i = 0, n; i < t->warp_count; i += n) {
		n = block_warps(t, i);
		if (!look_at_block(s, i, n))
			return false;
	}
	for (size_t i = 0; i < t->kind_count; i++)
		if (!kind_sound(t, &t->kinds[i]))
			return false;
	return true;
}

static void search_done(struct kind_search *s)
{
	map_done(&s->chunks);
	map_done(&s->blocks);
	free(s->begins);
	free(s->first);
	free(s->seen);
	free(s->chunk.data);
	free(s->block.data);
}

const struct trace_kind *trace_kinds(struct trace *t, size_t *count)
{
	struct kind_search s = { .t = t };

	if (!t->kinds) {
		s.begins = xcalloc(t->info.array_count, sizeof(*s.begins));
		s.seen = xcalloc(t->info.site_count, sizeof(*s.seen));
		if (t->info.values || t->info.partial || !kinds_find(&s)) {
			kinds_clear(t);
			for (size_t i = 0; i < t->warp_count;
			     i += block_warps(t, i))
				kind_new(&s, i, block_warps(t, i));
		}
		search_done(&s);
	}
	*count = t->kind_count;
	return t->kinds;
}

void trace_kinds_done(struct trace *t)
{
	kinds_clear(t);
	free(t->kinds);
}
