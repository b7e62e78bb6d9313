/*
 * advice_barrier: a barrier that orders nothing: without it, no two threads of
 * a block would access a word, one of them writing, on both sides of it.
 *
 * A few iterations of a loop may be too few to show what a barrier is for, as
 * with a ring of tiles; so a barrier in a loop must have been passed several
 * times, and before and after one of these the block must have used shared
 * memory.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/advice_finder.h"
#include "analysis/advice_source.h"
#include "base/map.h"
#include "trace/finding.h"

#define PLACES_MOST 32
#define WORDS_MOST (1u << 21)
#define TURNS 4		/* of a loop, in a block */
#define WORD_BYTES 4
#define MANY UINT32_MAX

/* Accesses of a word in a phase: which thread read it, which wrote it: 0 none,
 * else its number plus 1, or MANY. */
struct word_key { uint64_t word; uint32_t array, phase; };
struct users { uint32_t reader, writer; };
struct word_use { struct word_key at; struct users by; };

struct barrier_place {
	uint32_t line, column;
	bool needed, between;	/* between uses of shared memory */
	int64_t requests;
	uint32_t in_block, turns;	/* the most in a block */
};

struct barriers {
	struct advice_search *s;
	bool *written;			/* per array */
	bool inexact;
	struct barrier_place places[PLACES_MOST];
	size_t place_count;
	/* The block's. */
	uint8_t *ends;			/* by phase: the place that ends it */
	size_t phases, capacity;
	uint32_t first, last;		/* phases that use shared memory */
	struct map keys;
	struct users *users;
	size_t user_capacity;
};

static bool has_fault(const struct trace_info *info)
{
	for (size_t i = 0; i < info->finding_count; i++)
		if (finding_is_fault(&info->findings[i]))
			return true;
	return false;
}

/* Returns whether a shared array is written and never read: the compiler does
 * not report structures that are passed by value, so its reads are missing. */
static bool misses_reads(const struct trace_info *info)
{
	for (size_t a = 0; a < info->array_count; a++) {
		bool written = false, read = false;

		for (size_t i = 0; i < info->site_count; i++) {
			if (info->sites[i].array != a)
				continue;
			written |= info->sites[i].op == OP_ST;
			read |= info->sites[i].op != OP_ST;
		}
		if (info->arrays[a].space == SPACE_SHARED && written && !read)
			return true;
	}
	return false;
}

static void *start(struct advice_search *s)
{
	const struct trace_info *info = s->info;
	struct barriers *b;

	if (info->partial || has_fault(info) || advice_is_async(info) ||
	    misses_reads(info) || !(info->spaces >> SPACE_SHARED & 1))
		return NULL;
	b = xcalloc(1, sizeof(*b));
	b->s = s;
	b->first = UINT32_MAX;
	b->written = xcalloc(info->array_count, sizeof(*b->written));
	for (size_t i = 0; i < info->site_count; i++)
		if (info->sites[i].op == OP_ST)
			b->written[info->sites[i].array] = true;
	return b;
}

static void add_user(uint32_t *who, uint32_t thread)
{
	*who = !*who || *who == thread + 1 ? thread + 1 : MANY;
}

static void record_word_use(struct barriers *b, struct word_key k,
			    uint32_t thread, bool write)
{
	size_t known = b->keys.count;
	uint32_t n = map_add(&b->keys, &k, sizeof(k));

	grow(&b->users, &b->user_capacity, b->keys.count, sizeof(*b->users));
	if (n == known)
		b->users[n] = (struct users){ 0, 0 };
	add_user(write ? &b->users[n].writer : &b->users[n].reader, thread);
}

static size_t find_barrier_place(struct barriers *b,
				 const struct trace_site *site)
{
	size_t i = 0;

	while (i < b->place_count && (b->places[i].line != site->line ||
				      b->places[i].column != site->column))
		i++;
	if (i < b->place_count || i == PLACES_MOST)
		return i;
	b->places[b->place_count++] = (struct barrier_place){
		.line = site->line, .column = site->column };
	return i;
}

static void pass_barrier(struct barriers *b, const struct advice_at *at,
			 const struct trace_site *site)
{
	size_t p = find_barrier_place(b, site);

	if (p == PLACES_MOST || at->phase > b->phases) {
		b->inexact = true;
		return;
	}
	b->places[p].requests += at->times;
	if (at->phase < b->phases) {
		b->inexact |= b->ends[at->phase] != p;
		return;
	}
	grow(&b->ends, &b->capacity, b->phases + 1, sizeof(*b->ends));
	b->ends[b->phases++] = (uint8_t)p;
	b->places[p].in_block++;
}

static void take(void *state, const struct advice_at *at,
		 const struct trace_request *r)
{
	struct barriers *b = state;
	const struct trace_info *info = b->s->info;
	const struct trace_site *site;
	const struct trace_array *a;

	b->inexact |= b->keys.count > WORDS_MOST;
	if (b->inexact)
		return;
	if (info->sites[r->site].op == OP_BARRIER) {
		pass_barrier(b, at, &info->sites[r->site]);
		return;
	}
	if (!advice_access(info, r, &site, &a) || !b->written[site->array] ||
	    (a->space != SPACE_SHARED && a->space != SPACE_GLOBAL))
		return;
	if (a->space == SPACE_SHARED) {
		b->first = MIN(b->first, at->phase);
		b->last = MAX(b->last, at->phase);
	}
	for (uint32_t m = r->mask; m; m &= m - 1) {
		int lane = __builtin_ctz(m);
		uint64_t from = r->offset[lane] / WORD_BYTES;
		uint64_t to = (r->offset[lane] + site->bytes - 1) / WORD_BYTES;

		for (; from <= to; from++)
			record_word_use(b,
					(struct word_key){ from, site->array,
							   at->phase },
					at->warp * WARP_LANES + (uint32_t)lane,
					site->op == OP_ST);
	}
}

/* ---- a block's end ---- */

/* Orders uses by array, word and phase, for qsort(). */
static int compare_uses(const void *a, const void *b)
{
	const struct word_use *p = a, *q = b;

	if (p->at.array != q->at.array)
		return p->at.array < q->at.array ? -1 : 1;
	if (p->at.word != q->at.word)
		return p->at.word < q->at.word ? -1 : 1;
	return (p->at.phase > q->at.phase) - (p->at.phase < q->at.phase);
}

static bool differ_in_thread(uint32_t before, uint32_t now)
{
	return before && now && (before != now || before == MANY);
}

static uint32_t join_threads(uint32_t a, uint32_t b)
{
	return !a || a == b ? b : !b ? a : MANY;
}

/* Returns whether two uses of a word have only this place's barriers between
 * them, and need one. */
static bool is_place_needed(const struct barriers *b, size_t place,
			    const struct word_use *uses, size_t count)
{
	struct users before = { 0, 0 };

	for (size_t i = 1; i < count; i++) {
		const struct word_use *u = &uses[i], *last = &uses[i - 1];
		bool same = u->at.word == last->at.word &&
			    u->at.array == last->at.array;

		for (uint32_t p = last->at.phase; same && p < u->at.phase; p++)
			same = b->ends[p] == place;
		if (!same) {
			before = (struct users){ 0, 0 };
			continue;
		}
		before.reader = join_threads(before.reader, last->by.reader);
		before.writer = join_threads(before.writer, last->by.writer);
		if (differ_in_thread(before.writer, u->by.reader) ||
		    differ_in_thread(before.writer, u->by.writer) ||
		    differ_in_thread(before.reader, u->by.writer))
			return true;
	}
	return false;
}

static void judge_block(struct barriers *b)
{
	size_t count = b->keys.count;
	struct word_use *uses = xcalloc(count, sizeof(*uses));

	for (size_t i = 0; i < count; i++) {
		memcpy(&uses[i].at, map_key(&b->keys, i),
		       sizeof(struct word_key));
		uses[i].by = b->users[i];
		b->inexact |= uses[i].at.phase > b->phases;
	}
	if (count)
		qsort(uses, count, sizeof(*uses), compare_uses);
	for (size_t p = 0; p < b->place_count && !b->inexact; p++)
		b->places[p].needed = b->places[p].needed ||
				      is_place_needed(b, p, uses, count);
	free(uses);
	for (size_t i = 0; i < b->phases; i++)
		if (b->first <= i && i < b->last)
			b->places[b->ends[i]].between = true;
}

static void end_block(void *state, bool whole)
{
	struct barriers *b = state;

	b->inexact |= !whole;
	if (!b->inexact)
		judge_block(b);
	for (size_t p = 0; p < b->place_count; p++) {
		struct barrier_place *at = &b->places[p];

		at->turns = MAX(at->turns, at->in_block);
		at->in_block = 0;
	}
	map_done(&b->keys);
	b->phases = 0;
	b->first = UINT32_MAX;
	b->last = 0;
}

/* Adds the most frequent idle barrier. Only one, for each is idle only as long
 * as the others remain. */
static void finish(void *state, struct advice_search *s)
{
	struct barriers *b = state;
	const struct barrier_place *best = NULL;

	for (size_t p = 0; p < b->place_count && !b->inexact; p++) {
		const struct barrier_place *at = &b->places[p];

		if (at->needed || !at->between ||
		    (best && best->requests >= at->requests) ||
		    (at->turns < TURNS &&
		     source_in_loop(s->info->text, at->line)))
			continue;
		best = at;
	}
	if (best) {
		struct advice a = {
			.kind = ADVICE_BARRIER_IDLE, .line = best->line,
			.column = best->column, .array = TRACE_NO_ARRAY,
			.counts = { { ADVICE_BARRIERS, best->requests, 0 } },
			.count = 1, .saves = best->requests,
		};

		advice_add(s, &a);
	}
	map_done(&b->keys);
	free(b->users);
	free(b->ends);
	free(b->written);
	free(b);
}

const struct advice_finder advice_barrier = {
	.start = start, .take = take, .block = end_block, .finish = finish,
};
