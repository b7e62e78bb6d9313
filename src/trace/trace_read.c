/*
 * trace_read: reads any request of a trace from an untrusted file.
 *
 * Tables and index are read when the trace is opened; chunks on demand. A chunk
 * is unpacked once into columns, from which each request is made on demand; the
 * last few chunks stay in memory. All data of the file is checked before
 * trace_get() returns it, so that the layers above may trust it. The format is
 * in trace_format.h.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "trace/trace_file.h"

/* What unpacked chunks may take together; two stay in any case. */
#define CACHE_BYTES (12u << 20)

/* ---- the chunks in memory, newest first ---- */

/* Takes a chunk out of the list of chunks in memory. */
static void cache_unlink(struct trace *t, struct chunk *c)
{
	*(c->newer ? &c->newer->older : &t->newest) = c->older;
	*(c->older ? &c->older->newer : &t->oldest) = c->newer;
}

static void cache_link(struct trace *t, struct chunk *c)
{
	c->newer = NULL;
	c->older = t->newest;
	*(t->newest ? &t->newest->newer : &t->oldest) = c;
	t->newest = c;
}

static void cache_drop(struct trace *t, struct chunk *c)
{
	cache_unlink(t, c);
	t->entries[c->entry].chunk = NULL;
	t->cached--;
	t->cached_bytes -= c->bytes;
	trace_chunk_free(c);
}

static struct chunk *cache_get(struct trace *t, struct chunk_entry *entry,
			       struct error *e)
{
	struct chunk *c = entry->chunk;

	if (c && c == t->newest)
		return c;
	if (c) {
		cache_unlink(t, c);
		cache_link(t, c);
		return c;
	}
	c = trace_chunk_read(t, entry, e);
	if (!c)
		return NULL;
	entry->chunk = c;
	cache_link(t, c);
	t->cached++;
	t->cached_bytes += c->bytes;
	while (t->cached > 2 && t->cached_bytes > CACHE_BYTES)
		cache_drop(t, t->oldest);
	return c;
}

void trace_cache_drop(struct trace *t)
{
	while (t->oldest)
		cache_drop(t, t->oldest);
}

int trace_check(struct trace *t, struct error *e)
{
	for (size_t i = 0; i < t->entry_count; i++)
		if (!cache_get(t, &t->entries[i], e))
			return -1;
	return 0;
}

/* ---- requests ---- */

/* Finds the chunk with a warp's request `index`, and sets *place to the
 * request's position there. NULL with e. */
static struct chunk *find_cached_request(struct trace *t, size_t warp,
					 uint32_t index, uint32_t *place,
					 struct error *e)
{
	const struct warp_entry *w = t->warps + warp;
	size_t low, high;

	if (warp >= t->warp_count || index >= w->warp.requests) {
		error_set(e, EXIT_INPUT, _("%s: there is no request %" PRIu32
					   " of warp %zu"),
			  text_show(t->name), index, warp);
		return NULL;
	}
	if (t->newest) {
		struct chunk_entry *c = &t->entries[t->newest->entry];

		if (c->warp == warp && index - c->first < c->count) {
			*place = index - c->first;
			return t->newest;
		}
	}
	low = w->chunk;
	high = w->chunk + w->chunk_count;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (t->entries[middle].first <= index)
			low = middle;
		else
			high = middle;
	}
	*place = index - t->entries[low].first;
	return cache_get(t, &t->entries[low], e);
}

/* Fills in all but the values; the request's chunk, and its place there. */
static struct chunk *get_lanes(struct trace *t, size_t warp, uint32_t index,
			       uint32_t *place, struct trace_request *out,
			       struct error *e)
{
	struct chunk *c = find_cached_request(t, warp, index, place, e);
	const struct pattern_lanes *p;

	if (!c)
		return NULL;
	p = &c->patterns[c->pattern[*place]];
	out->site = c->site[*place];
	out->mask = p->mask;
	memset(out->offset, 0, sizeof(out->offset));
	if (!op_has_array(t->plans[out->site].op))
		return c;
	for (uint32_t m = p->mask; m; m &= m - 1) {
		int l = __builtin_ctz(m);

		out->offset[l] = c->base[*place] + p->rel[l];
	}
	return c;
}

int trace_get_lanes(struct trace *t, size_t warp, uint32_t index,
		    struct trace_request *out, struct error *e)
{
	uint32_t place;

	return get_lanes(t, warp, index, &place, out, e) ? 0 : -1;
}

int trace_get(struct trace *t, size_t warp, uint32_t index,
	      struct trace_request *out, struct error *e)
{
	uint32_t place, words;
	struct chunk *c = get_lanes(t, warp, index, &place, out, e);
	const uint32_t *v;

	if (!c)
		return -1;
	memset(out->value, 0, sizeof(out->value));
	if (!t->info.values || !op_has_array(t->plans[out->site].op))
		return 0;
	words = t->plans[out->site].words;
	v = c->words + c->value_at[place];
	for (uint32_t m = out->mask; m; m &= m - 1) {
		int l = __builtin_ctz(m);

		for (uint32_t j = 0; j < words; j++)
			out->value[l * 4 + j] = *v++;
	}
	return 0;
}

int trace_get_site(struct trace *t, size_t warp, uint32_t index,
		   uint32_t *site, struct error *e)
{
	uint32_t i;
	struct chunk *c = find_cached_request(t, warp, index, &i, e);

	if (!c)
		return -1;
	*site = c->site[i];
	return 0;
}

uint32_t trace_next(struct trace *t, size_t warp, uint32_t from, uint32_t end,
		    const uint8_t *kinds, uint8_t kind)
{
	while (from < end) {
		uint32_t i, n;
		struct chunk *c = find_cached_request(t, warp, from, &i, NULL);

		if (!c)
			return end;
		n = MIN(t->entries[c->entry].count - i, end - from);
		for (uint32_t k = 0; k < n; k++)
			if (kinds[c->site[i + k]] & kind)
				return from + k;
		from += n;
	}
	return end;
}

uint32_t trace_phase_of(const struct trace *t, size_t warp, uint32_t index)
{
	const struct warp_entry *w = &t->warps[warp];
	uint32_t low = 0, high = w->warp.phases - 1;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (t->barriers[w->barrier + middle] < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t trace_phase_start(const struct trace *t, size_t warp, uint32_t phase)
{
	const struct warp_entry *w = &t->warps[warp];

	if (phase == 0)
		return 0;
	if (phase >= w->warp.phases)
		return w->warp.requests;
	return t->barriers[w->barrier + phase - 1] + 1;
}

/* ---- what is known of it ---- */

/* Returns the tables of the trace. */
const struct trace_info *trace_info(const struct trace *t)
{
	return &t->info;
}

size_t trace_warp_count(const struct trace *t)
{
	return t->warp_count;
}

const struct trace_warp *trace_warp(const struct trace *t, size_t index)
{
	return &t->warps[index].warp;
}

long trace_find_warp(const struct trace *t, uint32_t block, uint32_t warp)
{
	size_t low = 0, high = t->warp_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct trace_warp *w = &t->warps[middle].warp;

		if (w->block < block ||
		    (w->block == block && w->warp < warp))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == t->warp_count || t->warps[low].warp.block != block ||
	    t->warps[low].warp.warp != warp)
		return -1;
	return (long)low;
}

uint64_t trace_event_count(const struct trace *t)
{
	return t->events;
}

uint64_t trace_request_count(const struct trace *t)
{
	return t->requests;
}
