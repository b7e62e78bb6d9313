/*
 * advice_layout: a shared array with longer rows, or with its columns permuted
 * row by row, so that bank conflicts become fewer. Of all pitches up to a row
 * of banks longer, and all XOR swizzles, it takes the one with the fewest
 * wavefronts.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/advice_finder.h"
#include "analysis/advice_run.h"
#include "analysis/advice_source.h"
#include "base/map.h"

/* More different requests than this are not tried on every layout. */
#define KINDS_MOST (1u << 18)
#define ROW_OF_BANKS (BANKS * BANK_BYTES)
/* The bytes of shared memory that a block may declare, and may opt in to. */
#define STATIC_MOST (48u << 10)
#define DYNAMIC_MOST (227u << 10)

/* Requests that differ, and how many of each. */
struct kind { uint32_t site, mask, bytes, offset[WARP_LANES]; };
struct pool {
	struct map kinds;
	int64_t *times;
	size_t capacity;
};

struct layout_tile {
	bool fixed;		/* its layout is not the kernel's alone */
	bool whole_rows;	/* no swizzle: a function takes it as rows */
	uint32_t align;		/* of its accesses, bytes */
	uint32_t line;		/* of the first access */
	struct pool asked, joined;
	struct advice_run run;
	int64_t run_times;
};

struct layouts {
	struct advice_search *s;
	struct layout_tile *tiles;	/* per array */
};

static void add_request_kind(struct pool *p, const struct trace_request *r,
			     uint32_t bytes, int64_t times)
{
	struct kind k = { .site = r->site, .mask = r->mask, .bytes = bytes };
	size_t before = p->kinds.count;
	uint32_t n;

	for (uint32_t m = r->mask; m; m &= m - 1)
		k.offset[__builtin_ctz(m)] =
			(uint32_t)r->offset[__builtin_ctz(m)];
	n = map_add(&p->kinds, &k, sizeof(k));
	grow(&p->times, &p->capacity, p->kinds.count, sizeof(*p->times));
	if (n == before)
		p->times[n] = 0;
	p->times[n] += times;
}

static void pool_done(struct pool *p)
{
	map_done(&p->kinds);
	free(p->times);
}

/* ---- taking requests ---- */

/* Tests for a shared array that is, or may hold row after row, a matrix. */
static bool is_shared_matrix(const struct trace_array *a)
{
	return a->space == SPACE_SHARED && a->rank >= 1;
}

static uint64_t get_row_bytes(const struct trace_array *a)
{
	return a->dims[a->rank - 1] * a->elem_bytes;
}

/* Returns whether the line calls a function that needs equal steps between the
 * rows of a matrix. */
static bool is_wmma_line(const struct trace_info *info, uint32_t line)
{
	static const char *const words[] = { "load_matrix_sync",
					     "store_matrix_sync" };

	return source_has_word(info->text, line, words, LENGTH(words));
}

static void look_at_site(struct layouts *l, const struct trace_site *site)
{
	const struct trace_array *a;
	struct layout_tile *t;

	if (site->array >= l->s->info->array_count)
		return;
	a = &l->s->info->arrays[site->array];
	t = &l->tiles[site->array];
	t->fixed |=
		!op_is_access(site->op) ||
		(a->rank == 1 && source_is_dynamic(l->s->info->text, a->name));
	t->align = MAX(t->align, MAX(site->bytes, a->elem_bytes));
	if (site->line && (!t->line || site->line < t->line))
		t->line = site->line;
	if (is_shared_matrix(a) && is_wmma_line(l->s->info, site->line)) {
		t->whole_rows = true;
		t->align = MAX(t->align, 16);
	}
}

static void *start(struct advice_search *s)
{
	struct layouts *l = xcalloc(1, sizeof(*l));

	l->s = s;
	l->tiles = xcalloc(s->info->array_count, sizeof(*l->tiles));
	for (size_t i = 0; i < s->info->site_count; i++)
		look_at_site(l, &s->info->sites[i]);
	return l;
}

/* Returns whether each access stays within a row. */
static bool stays_in_rows(const struct trace_array *a,
			  const struct trace_request *r, uint32_t bytes)
{
	uint64_t row = get_row_bytes(a);

	for (uint32_t m = r->mask; m; m &= m - 1)
		if (r->offset[__builtin_ctz(m)] % row + bytes > row)
			return false;
	return true;
}

static void end_tile_run(struct layout_tile *t)
{
	struct trace_request r = t->run.first;

	if (run_full(&t->run)) {
		add_request_kind(&t->joined, &r, RUN_BYTES, t->run_times);
	} else {
		for (uint32_t i = 0; i < t->run.count; i++) {
			add_request_kind(&t->joined, &r, t->run.bytes,
					 t->run_times);
			for (int lane = 0; lane < WARP_LANES; lane++)
				r.offset[lane] += t->run.bytes;
		}
	}
	t->run.count = 0;
}

static void take(void *state, const struct advice_at *at,
		 const struct trace_request *r)
{
	struct layouts *l = state;
	const struct trace_site *site;
	const struct trace_array *a;
	struct layout_tile *t;

	if (at->first)
		for (size_t i = 0; i < l->s->info->array_count; i++)
			end_tile_run(&l->tiles[i]);
	if (!advice_access(l->s->info, r, &site, &a) || !is_shared_matrix(a))
		return;
	t = &l->tiles[site->array];
	t->fixed |= !stays_in_rows(a, r, site->bytes) ||
		    t->asked.kinds.count > KINDS_MOST;
	if (t->fixed)
		return;
	add_request_kind(&t->asked, r, site->bytes, at->times);
	if (run_extend(&t->run, site, r))
		return;
	end_tile_run(t);
	t->run_times = at->times;
	if (!run_begin(&t->run, site, a, r))
		add_request_kind(&t->joined, r, site->bytes, at->times);
}

/* ---- layouts ---- */

/* row: the bytes of a row now. */
struct array_layout { uint64_t row, pitch; uint32_t shift, mask, chunk; };

static uint64_t move_offset(const struct trace_array *a,
			    const struct array_layout *l, uint64_t at)
{
	uint64_t row = at / l->row, in = at % l->row;

	if (l->mask)
		in = ((in / l->chunk) ^ (row % a->dims[a->rank - 2] >>
					 l->shift & l->mask)) *
		     l->chunk + in % l->chunk;
	return row * l->pitch + in;
}

/* Returns the wavefronts of all requests in a layout, or more than `most` as
 * soon as that is exceeded; INT64_MAX: an access is misaligned. */
static int64_t count_wavefronts(const struct trace_info *info, uint32_t array,
				const struct pool *p,
				const struct array_layout *l, int64_t most)
{
	const struct trace_array *a = &info->arrays[array];
	int64_t sum = 0;

	for (size_t n = 0; n < p->kinds.count && sum <= most; n++) {
		const struct kind *k = map_key(&p->kinds, n);
		const struct trace_site *site = &info->sites[k->site];
		struct access_cost cost;
		struct access x = {
			.space = site->matrix ? ACCESS_LDMATRIX :
						ACCESS_SHARED,
			.op = site->op, .bytes = k->bytes, .mask = k->mask,
		};

		for (int lane = 0; lane < WARP_LANES; lane++) {
			if (k->mask >> lane & 1 &&
			    k->offset[lane] % l->row + k->bytes > l->row)
				return INT64_MAX;
			x.address[lane] =
				a->base + move_offset(a, l, k->offset[lane]);
		}
		if (access_cost(&x, &cost, NULL))
			return INT64_MAX;
		sum += p->times[n] * cost.wavefronts;
	}
	return sum;
}

static bool has_shared_room(const struct trace_info *info,
			    const struct trace_array *a, uint64_t row,
			    uint64_t more)
{
	uint64_t now = advice_shared_bytes(info);
	uint64_t rows = trace_array_bytes(a) / row;

	return now + rows * more <=
	       (now > STATIC_MOST ? DYNAMIC_MOST : STATIC_MOST);
}

/* Tries rows of `row` bytes with each pitch. */
static void try_pitches(const struct layouts *l, uint32_t array, uint64_t row,
			struct array_layout *best, int64_t *least)
{
	const struct trace_info *info = l->s->info;
	const struct trace_array *a = &info->arrays[array];
	const struct layout_tile *t = &l->tiles[array];

	for (uint64_t more = a->elem_bytes;
	     more <= ROW_OF_BANKS && has_shared_room(info, a, row, more);
	     more += a->elem_bytes) {
		struct array_layout y = { .row = row, .pitch = row + more };
		int64_t cost;

		if (y.pitch % t->align || y.pitch % BANK_BYTES)
			continue;
		cost = count_wavefronts(info, array, &t->asked, &y, *least);
		if (cost < *least) {
			*least = cost;
			*best = y;
		}
	}
}

/* Tries to take a one-dimensional array for rows as long as the block is wide,
 * or as a power of two; of several layouts the shortest rows that are best. */
static void try_rows(const struct layouts *l, uint32_t array,
		     struct array_layout *best, int64_t *least)
{
	const struct trace_info *info = l->s->info;
	const struct trace_array *a = &info->arrays[array];
	uint64_t whole = trace_array_bytes(a);

	for (uint64_t n = 8; n <= 256; n *= 2)
		if (n * a->elem_bytes < whole &&
		    whole % (n * a->elem_bytes) == 0)
			try_pitches(l, array, n * a->elem_bytes, best, least);
	for (int i = 0; i < 2; i++) {
		uint64_t n = i ? info->block.y : info->block.x;

		if (n >= 8 && n * a->elem_bytes < whole &&
		    whole % (n * a->elem_bytes) == 0)
			try_pitches(l, array, n * a->elem_bytes, best, least);
	}
}

static void try_swizzles(const struct layouts *l, uint32_t array,
			 struct array_layout *best, int64_t *least)
{
	const struct trace_info *info = l->s->info;
	const struct trace_array *a = &info->arrays[array];
	const struct layout_tile *t = &l->tiles[array];
	struct array_layout y = { .row = get_row_bytes(a),
				  .pitch = get_row_bytes(a),
				  .chunk = t->align };
	uint64_t chunks = y.pitch / y.chunk;

	if (a->rank < 2 || t->whole_rows || y.pitch % BANK_BYTES ||
	    y.pitch % y.chunk || (chunks & (chunks - 1)))
		return;
	for (y.mask = 1; y.mask < chunks && y.mask < BANKS;
	     y.mask = y.mask * 2 + 1)
		for (y.shift = 0; y.shift < 4; y.shift++) {
			int64_t cost = count_wavefronts(info, array, &t->asked,
							&y, *least);

			if (cost < *least) {
				*least = cost;
				*best = y;
			}
		}
}

/* ---- what was found ---- */

/* Adds the advice to use layout y. */
static void add_layout_advice(const struct layouts *l, uint32_t array,
			      const struct array_layout *y, int64_t before,
			      int64_t after)
{
	const struct trace_info *info = l->s->info;
	const struct trace_array *a = &info->arrays[array];
	const struct layout_tile *t = &l->tiles[array];
	struct source_rows rows;
	bool found = source_rows_find(info->text, a->name, t->line, &rows);
	struct advice piece = {
		.kind = y->mask ? ADVICE_SWIZZLE : ADVICE_PITCH,
		.line = found ? rows.line : t->line,
		.column = found ? rows.column : 0, .array = array,
		.counts = { { ADVICE_WAVEFRONTS, before, after } },
		.count = 1, .saves = before - after,
		.from = (int64_t)(y->row / a->elem_bytes),
		.to = (int64_t)(y->pitch / a->elem_bytes),
		.shift = y->shift, .mask = y->mask,
		.chunk = y->mask ? y->chunk / a->elem_bytes : 0,
	};

	advice_add(l->s, &piece);
}

/* Returns the bytes before the end of the highest access. *column: before the end
 * of the highest in its row of `row` bytes. */
static uint64_t find_used_end(const struct pool *p, uint64_t row,
			      uint64_t *column)
{
	uint64_t end = 0;

	*column = 0;

	for (size_t n = 0; n < p->kinds.count; n++) {
		const struct kind *k = map_key(&p->kinds, n);

		for (uint32_t m = k->mask; m; m &= m - 1) {
			uint64_t at = k->offset[__builtin_ctz(m)];

			end = MAX(end, at + k->bytes);
			*column = MAX(*column, at % row + k->bytes);
		}
	}
	return end;
}

/* Returns the bytes of the rows that the text counts in, if they are shorter than
 * those that it declares: the accesses then end where as many shorter rows do, and
 * some are in the padding. 0: it counts in those that it declares. */
static uint64_t find_counted_row(const struct layouts *l, uint32_t array)
{
	const struct trace_array *a = &l->s->info->arrays[array];
	uint64_t declared = get_row_bytes(a), rows, column;
	uint64_t end = find_used_end(&l->tiles[array].asked, declared,
				     &column);

	if (a->rank != 2)
		return 0;
	rows = trace_array_bytes(a) / declared;
	for (uint64_t row = declared - a->elem_bytes;
	     rows > 1 && row && row + ROW_OF_BANKS / 4 >= declared;
	     row -= a->elem_bytes)
		if (end > (rows - 1) * row && end <= rows * row)
			return column > row ? row : 0;
	return 0;
}

/* Adds the advice to count in the rows that the text declares, if it counts in
 * shorter ones; false: it does not. */
static bool judge_padding(struct layouts *l, uint32_t array, int64_t before)
{
	const struct trace_info *info = l->s->info;
	const struct trace_array *a = &info->arrays[array];
	const struct layout_tile *t = &l->tiles[array];
	struct array_layout y = { .row = find_counted_row(l, array),
				  .pitch = get_row_bytes(a) };
	struct advice piece = {
		.kind = ADVICE_PITCH, .line = t->line, .array = array,
		.count = 1, .from = (int64_t)(y.row / a->elem_bytes),
		.to = (int64_t)(y.pitch / a->elem_bytes),
	};
	int64_t after;

	if (!y.row)
		return false;
	after = count_wavefronts(info, array, &t->asked, &y, before);
	if (advice_enough(before - after, before)) {
		piece.counts[0] = (struct advice_count){ ADVICE_WAVEFRONTS,
							 before, after };
		piece.saves = before - after;
		advice_add(l->s, &piece);
		return true;
	}
	return false;
}

static void judge_array(struct layouts *l, uint32_t array)
{
	const struct trace_info *info = l->s->info;
	const struct trace_array *a = &info->arrays[array];
	struct layout_tile *t = &l->tiles[array];
	struct array_layout now = { .row = get_row_bytes(a),
				    .pitch = get_row_bytes(a) }, best = now,
			    other;
	int64_t before, least, permuted, compiled;

	end_tile_run(t);
	if (!is_shared_matrix(a) || t->fixed || !t->asked.kinds.count)
		return;
	before = count_wavefronts(info, array, &t->asked, &now, INT64_MAX - 1);
	if (before == INT64_MAX)
		return;
	if (judge_padding(l, array, before))
		return;
	least = before;
	if (a->rank >= 2)
		try_pitches(l, array, get_row_bytes(a), &best, &least);
	else
		try_rows(l, array, &best, &least);
	/* If two are nearly equal, take the simpler one. */
	permuted = least;
	try_swizzles(l, array, &other, &permuted);
	if (advice_enough(least - permuted, before)) {
		least = permuted;
		best = other;
	}
	compiled =
		count_wavefronts(info, array, &t->joined, &now, INT64_MAX - 1);
	if (advice_enough(before - least, before) && compiled > least)
		add_layout_advice(l, array, &best, before, least);
}

static void finish(void *state, struct advice_search *s)
{
	struct layouts *l = state;

	for (size_t i = 0; i < s->info->array_count; i++) {
		judge_array(l, (uint32_t)i);
		pool_done(&l->tiles[i].asked);
		pool_done(&l->tiles[i].joined);
	}
	free(l->tiles);
	free(l);
}

const struct advice_finder advice_layout = {
	.start = start, .take = take, .finish = finish,
};
