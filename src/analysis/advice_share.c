/* advice_share: sectors of global memory that several warps of a block load,
 * and that the block could load once into shared memory. Arrays that the kernel
 * also writes are left out: a second load may get another value. */
#include <stdlib.h>

#include "analysis/advice_finder.h"
#include "base/map.h"

#define SECTORS_MOST (1u << 21)

struct shares {
	struct advice_search *s;
	struct map sectors;	/* of the block: struct key */
	/* bytes: of the sector, a bit each. */
	struct seen { uint32_t warp, bytes; bool several; } *seen;
	size_t capacity;
	int64_t times;		/* how many blocks are like it */
	bool left_out;		/* more than fits */
	struct of_array {
		bool written;
		/* Sectors now and then, and those that several warps load; bytes
		 * that requests load, and those of them that differ. */
		int64_t before, after, several, bytes, different;
	} *arrays;
	int64_t *loads;		/* sectors, per site */
};

struct sector_key { uint64_t address; uint64_t array; };

static void *start(struct advice_search *s)
{
	struct shares *h = xcalloc(1, sizeof(*h));

	h->s = s;
	h->arrays = xcalloc(s->info->array_count, sizeof(*h->arrays));
	h->loads = xcalloc(s->info->site_count, sizeof(*h->loads));
	for (size_t i = 0; i < s->info->site_count; i++) {
		const struct trace_site *site = &s->info->sites[i];

		if (site->array < s->info->array_count && site->op != OP_LD)
			h->arrays[site->array].written = true;
	}
	return h;
}

static void take(void *state, const struct advice_at *at,
		 const struct trace_request *r)
{
	struct shares *h = state;
	struct access a;
	struct access_sector sector[2 * WARP_LANES];
	const struct trace_site *site = &h->s->info->sites[r->site];
	size_t count;

	if (h->left_out || site->op != OP_LD ||
	    !access_of(h->s->info, r, &a) || a.space != ACCESS_GLOBAL ||
	    h->arrays[site->array].written)
		return;
	count = access_sectors(&a, sector);
	h->times = at->times;
	h->arrays[site->array].before += at->times * (int64_t)count;
	h->loads[r->site] += at->times * (int64_t)count;
	for (size_t i = 0; i < count; i++) {
		struct sector_key k = { sector[i].address, site->array };
		size_t known = h->sectors.count;
		uint32_t n = map_add(&h->sectors, &k, sizeof(k));

		grow(&h->seen, &h->capacity, h->sectors.count,
		     sizeof(*h->seen));
		if (n == known)
			h->seen[n] = (struct seen){ at->warp, 0, false };
		else if (h->seen[n].warp != at->warp)
			h->seen[n].several = true;
		h->seen[n].bytes |= sector[i].bytes;
		h->arrays[site->array].bytes +=
			at->times * __builtin_popcount(sector[i].bytes);
	}
	h->left_out = h->sectors.count > SECTORS_MOST;
}

static void end_block(void *state, bool whole)
{
	struct shares *h = state;

	(void)whole;
	for (size_t i = 0; i < h->sectors.count; i++) {
		const struct sector_key *k = map_key(&h->sectors, i);

		h->arrays[k->array].after += h->times;
		h->arrays[k->array].different +=
			h->times * __builtin_popcount(h->seen[i].bytes);
		h->arrays[k->array].several += h->seen[i].several ?
					       h->times : 0;
	}
	map_done(&h->sectors);
}

/* Returns whether a line stores to shared memory, as one that fills a tile. */
static bool fills_shared(const struct trace_info *info, uint32_t line)
{
	for (size_t i = 0; i < info->site_count; i++) {
		const struct trace_site *s = &info->sites[i];

		if (s->line == line && s->op == OP_ST &&
		    s->array < info->array_count &&
		    info->arrays[s->array].space == SPACE_SHARED)
			return true;
	}
	return false;
}

static void judge_shared_array(struct shares *h, uint32_t array)
{
	const struct of_array *o = &h->arrays[array];
	struct advice a = {
		.kind = ADVICE_SHARE, .array = array,
		.counts = { { ADVICE_SECTORS, o->before, o->after } },
		.count = 1, .saves = o->before - o->after,
	};
	int64_t most = 0;

	/* Halved at least, and most of it needed by several warps; a byte that
	 * is used once gains nothing. */
	if (!o->after || o->before < 2 * o->after ||
	    o->several * 2 < o->after || o->bytes < 2 * o->different)
		return;
	for (size_t i = 0; i < h->s->info->site_count; i++)
		if (h->s->info->sites[i].array == array &&
		    h->loads[i] > most) {
			most = h->loads[i];
			a.line = h->s->info->sites[i].line;
			a.column = h->s->info->sites[i].column;
		}
	if (fills_shared(h->s->info, a.line))
		return;
	advice_add(h->s, &a);
}

static void finish(void *state, struct advice_search *s)
{
	struct shares *h = state;

	for (size_t i = 0; !h->left_out && i < s->info->array_count; i++)
		judge_shared_array(h, (uint32_t)i);
	map_done(&h->sectors);
	free(h->seen);
	free(h->arrays);
	free(h->loads);
	free(h);
}

const struct advice_finder advice_share = {
	.start = start, .take = take, .block = end_block, .finish = finish,
};
