/*
 * advice_exchange: threadIdx.x and threadIdx.y exchanged. Each thread does the
 * same, but warps consist of other threads, those with the same x, so what they
 * access together changes.
 *
 * The nth access of a lane at a site goes together with the nth of the others.
 * That is exact if all threads that execute a site do so equally often; else
 * there is no advice.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/advice_finder.h"
#include "analysis/advice_source.h"
#include "base/cpp_words.h"

/* Lane accesses of a block that are kept at a time. */
#define BLOCK_EVENTS (4u << 20)
#define MOST_SITES 4096

/* The accesses of a block at a site: offset[nth * threads + thread]. */
struct visits {
	uint32_t *times;		/* per thread */
	uint64_t *offset;
	uint32_t most;			/* of all threads */
	size_t capacity;
};

struct exchange_sums { int64_t sectors, wavefronts; };

struct exchange {
	struct advice_search *s;
	uint32_t threads;
	struct visits *visits;		/* per site */
	uint64_t events;		/* of the block */
	bool inexact;
	struct exchange_sums before, after;
	int64_t times;			/* how many blocks are like it */
	int64_t *saved;			/* sectors, per site */
};

/* Returns whether the text has a function by which the lanes of a warp work
 * together, such as __shfl_sync(), mma_sync() or __syncwarp(); __syncthreads()
 * is none. */
static bool calls_warp_function(const char *text)
{
	static const char *const begins[] = { "__syncwarp", "tiled_partition",
		"coalesced_threads", "thread_block_tile" };
	size_t count;
	struct cpp_word *w = cpp_code(text, strlen(text), true, &count);
	bool calls = false;

	for (size_t i = 0; i < count && !calls; i++) {
		size_t n = w[i].length;

		calls = w[i].kind == CPP_WORD && n > 5 &&
			!memcmp(w[i].at + n - 5, "_sync", 5);
		for (size_t k = 0; k < LENGTH(begins) && !calls; k++)
			calls = n >= strlen(begins[k]) &&
				!memcmp(w[i].at, begins[k], strlen(begins[k]));
	}
	free(w);
	return calls;
}

/* Returns whether the kernel depends on which threads form a warp. */
static bool depends_on_warps(const struct trace_info *info)
{
	static const char *const words[] = { "warpSize", "asm", "__asm__",
					     "__activemask" };

	for (size_t i = 0; i < info->site_count; i++)
		if (info->sites[i].matrix)
			return true;
	return calls_warp_function(info->text) ||
	       source_has_word(info->text, 0, words, LENGTH(words)) ||
	       advice_is_async(info);
}

static void *start(struct advice_search *s)
{
	const struct trace_dim *b = &s->info->block;
	struct exchange *x;

	if (b->x < 2 || b->y < 2 || b->x * b->y < WARP_LANES ||
	    s->info->partial || s->info->site_count > MOST_SITES ||
	    depends_on_warps(s->info))
		return NULL;
	x = xcalloc(1, sizeof(*x));
	x->s = s;
	x->threads = b->x * b->y * b->z;
	x->visits = xcalloc(s->info->site_count, sizeof(*x->visits));
	x->saved = xcalloc(s->info->site_count, sizeof(*x->saved));
	return x;
}

static void record_visit(struct exchange *x, struct visits *v, uint32_t thread,
			 uint64_t offset)
{
	uint32_t n;

	if (!v->times)
		v->times = xcalloc(x->threads, sizeof(*v->times));
	n = v->times[thread]++;
	if (n >= v->most) {
		v->most = n + 1;
		grow(&v->offset, &v->capacity, (size_t)v->most * x->threads,
		     sizeof(*v->offset));
	}
	v->offset[(size_t)n * x->threads + thread] = offset;
}

static void count(struct exchange *x, struct exchange_sums *to,
		  const struct trace_request *r, int sign)
{
	const struct trace_site *site = &x->s->info->sites[r->site];
	const struct access_cost *cost = cost_memo_get(x->s->memo, r);

	if (!cost) {
		x->inexact = true;
	} else if (x->s->info->arrays[site->array].space == SPACE_GLOBAL) {
		to->sectors += x->times * cost->sectors;
		x->saved[r->site] += sign * x->times * cost->sectors;
	} else {
		to->wavefronts += x->times * cost->wavefronts;
	}
}

static void take(void *state, const struct advice_at *at,
		 const struct trace_request *r)
{
	struct exchange *x = state;
	const struct trace_site *site;
	const struct trace_array *a;

	if (x->inexact || !advice_access(x->s->info, r, &site, &a) ||
	    (a->space != SPACE_GLOBAL && a->space != SPACE_SHARED))
		return;
	x->events += (uint64_t)__builtin_popcount(r->mask);
	if (x->events > BLOCK_EVENTS) {
		x->inexact = true;
		return;
	}
	x->times = at->times;
	count(x, &x->before, r, 1);
	for (uint32_t m = r->mask; m; m &= m - 1) {
		int lane = __builtin_ctz(m);

		record_visit(x, &x->visits[r->site],
			     at->warp * WARP_LANES + (uint32_t)lane,
			     r->offset[lane]);
	}
}

/* Returns the thread whose number is `other` if y is counted before x. */
static uint32_t find_exchanged_thread(const struct trace_dim *b, uint32_t other)
{
	uint32_t plane = b->x * b->y, in = other % plane;

	return other / plane * plane + in % b->y * b->x + in / b->y;
}

static void count_regrouped(struct exchange *x, uint32_t site, uint32_t nth)
{
	const struct visits *v = &x->visits[site];
	const struct trace_dim *b = &x->s->info->block;

	for (uint32_t w = 0; w < x->threads; w += WARP_LANES) {
		struct trace_request r = { .site = site };

		for (uint32_t l = 0; l < WARP_LANES && w + l < x->threads;
		     l++) {
			uint32_t t = find_exchanged_thread(b, w + l);

			if (v->times[t] <= nth)
				continue;
			r.mask |= UINT32_C(1) << l;
			r.offset[l] = v->offset[(size_t)nth * x->threads + t];
		}
		if (r.mask)
			count(x, &x->after, &r, -1);
	}
}

static void end_block(void *state, bool whole)
{
	struct exchange *x = state;

	x->inexact |= !whole;
	for (uint32_t s = 0; s < x->s->info->site_count; s++) {
		struct visits *v = &x->visits[s];

		for (uint32_t t = 0; v->most && t < x->threads; t++)
			x->inexact |= v->times[t] && v->times[t] != v->most;
		for (uint32_t n = 0; !x->inexact && n < v->most; n++)
			count_regrouped(x, s, n);
		if (v->times)
			memset(v->times, 0, x->threads * sizeof(*v->times));
		v->most = 0;
	}
	x->events = 0;
}

static struct advice piece_of(const struct exchange *x)
{
	const struct trace_info *info = x->s->info;
	struct advice a = {
		.kind = ADVICE_EXCHANGE, .array = TRACE_NO_ARRAY,
		.counts = { { ADVICE_SECTORS, x->before.sectors,
			      x->after.sectors },
			    { ADVICE_WAVEFRONTS, x->before.wavefronts,
			      x->after.wavefronts } },
		.count = x->before.wavefronts != x->after.wavefronts ? 2 : 1,
		.saves = x->before.sectors + x->before.wavefronts -
			 x->after.sectors - x->after.wavefronts,
	};
	int64_t most = 0;

	for (size_t s = 0; s < info->site_count; s++)
		if (x->saved[s] > most) {
			most = x->saved[s];
			a.line = info->sites[s].line;
			a.column = info->sites[s].column;
			a.array = info->sites[s].array;
		}
	return a;
}

static void finish(void *state, struct advice_search *s)
{
	struct exchange *x = state;
	struct advice a = piece_of(x);

	if (!x->inexact &&
	    advice_enough(x->before.sectors - x->after.sectors,
			  x->before.sectors) &&
	    advice_enough(a.saves, x->before.sectors + x->before.wavefronts))
		advice_add(s, &a);
	for (size_t i = 0; i < s->info->site_count; i++) {
		free(x->visits[i].times);
		free(x->visits[i].offset);
	}
	free(x->visits);
	free(x->saved);
	free(x);
}

const struct advice_finder advice_exchange = {
	.start = start, .take = take, .block = end_block, .finish = finish,
};
