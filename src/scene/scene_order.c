/* scene_order: see scene_order.h. */
#include "scene/scene_order.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "scene/rungs.h"
#include "scene/stage.h"
#include "scene/turns.h"
#include "timing/benchmark.h"

/* The part of C that a block stores in one turn. */
struct taken_tile {
	uint32_t block, turn;
	struct box box;
};

struct tile_search {
	const struct stage *s;
	uint32_t a, b, c;		/* arrays of the trace */
	struct taken_tile *taken;
	size_t count, capacity;
};

static struct taken_tile *taken_at(struct tile_search *f, uint32_t block,
				   uint32_t turn)
{
	for (size_t i = f->count; i-- > 0 && f->taken[i].block == block; )
		if (f->taken[i].turn == turn)
			return &f->taken[i];
	grow(&f->taken, &f->capacity, f->count + 1, sizeof(*f->taken));
	f->taken[f->count] =
		(struct taken_tile){ .block = block, .turn = turn };
	return &f->taken[f->count++];
}

static void extend_box(struct box *b, uint32_t row0, uint32_t col0,
		       uint32_t row1, uint32_t col1)
{
	if (!b->known)
		*b = (struct box){ true, row0, col0, row1, col1 };
	b->row0 = MIN(b->row0, row0);
	b->col0 = MIN(b->col0, col0);
	b->row1 = MAX(b->row1, row1);
	b->col1 = MAX(b->col1, col1);
}

static void add_stored_box(struct tile_search *f, struct taken_tile *t,
			   const struct trace_request *r)
{
	const struct trace_site *site = stage_site(f->s, r->site);
	const struct trace_array *c = &f->s->info->arrays[f->c];
	uint64_t n = c->dims[c->rank - 1], m = c->dims[0];
	bool bulk = op_is_bulk(site->op);
	uint32_t rows = bulk ? site->tile.rows : 1;
	uint32_t cols = bulk ? site->tile.columns :
			MAX(site->bytes / c->elem_bytes, 1);

	for (uint32_t l = 0; l < WARP_LANES; l++) {
		uint64_t e = r->offset[l] / c->elem_bytes;

		if (r->mask >> l & 1)
			extend_box(&t->box, (uint32_t)(e / n),
				   (uint32_t)(e % n),
				   (uint32_t)MIN(e / n + rows, m) - 1,
				   (uint32_t)MIN(e % n + cols, n) - 1);
	}
}

/* Adds the tiles that a warp stores. A turn begins at a store after the warp
 * has loaded or multiplied again. */
static void find_warp_tiles(struct tile_search *f, size_t warp)
{
	const struct trace_warp *tw = trace_warp(f->s->trace, warp);
	uint32_t turn = 0, number;
	bool stored = false, worked = false;

	for (uint32_t i = 0; i < tw->requests; i++) {
		const struct trace_site *site;
		struct trace_request r;

		if (trace_get_site(f->s->trace, warp, i, &number, NULL))
			return;
		site = stage_site(f->s, number);
		worked |= site->op == OP_WGMMA || site->array == f->a ||
			  site->array == f->b;
		if (site->array != f->c ||
		    (site->op != OP_ST && site->op != OP_TMA_ST) ||
		    trace_get(f->s->trace, warp, i, &r, NULL))
			continue;
		turn += stored && worked;
		stored = true;
		worked = false;
		add_stored_box(f, taken_at(f, tw->block, turn), &r);
	}
}

static int by_order(const void *a, const void *b)
{
	const struct taken_tile *x = a, *y = b;

	if (x->turn != y->turn)
		return x->turn < y->turn ? -1 : 1;
	return x->block < y->block ? -1 : x->block > y->block;
}

/* ---- the order ---- */

/* Returns the number of SMs of the newest race's GPU; 0: no race was
 * recorded. */
static uint32_t get_measured_sms(void)
{
	const struct timing *t = benchmark_shipped();
	double sms = t ? t->machine.sms : NA;

	return sms > 0 ? (uint32_t)sms : 0;
}

/* Returns what a wave reads: a byte for each row and then each column of
 * tiles. */
static uint8_t *find_wave_reads(const struct order *o, uint32_t wave)
{
	return o->reads + (size_t)wave * (o->rows + o->cols);
}

/* Notes each tile's place in the order, and what each wave reads. */
static void note_numbers(struct order *o)
{
	uint32_t all = o->rows * o->cols;

	o->waves = o->tiles[o->count - 1].wave + 1;
	o->number = xcalloc(all, sizeof(*o->number));
	memset(o->number, 0xff, all * sizeof(*o->number));
	for (uint32_t i = o->count; i-- > 0; )
		o->number[o->tiles[i].row * o->cols + o->tiles[i].col] = i;
	o->reads = xcalloc(o->waves, o->rows + o->cols);
	for (uint32_t i = 0; i < o->count; i++) {
		const struct order_tile *t = &o->tiles[i];
		uint8_t *reads = find_wave_reads(o, t->wave);

		reads[t->row] = reads[o->rows + t->col] = 1;
	}
}

void order_by_groups(struct order *o, uint32_t high, uint32_t wide,
		     uint32_t group)
{
	uint32_t rows = o->rows / high, cols = o->cols / wide;
	uint32_t all = rows * cols, each = high * wide;
	uint32_t clusters = o->at_once / each;

	free(o->tiles);
	free(o->number);
	free(o->reads);
	o->group = group;
	o->count = 0;
	o->tiles = xcalloc((size_t)all * each, sizeof(*o->tiles));
	for (uint32_t i = 0; i < all; i++) {
		uint32_t first = i / (group * cols) * group;
		uint32_t tall = MIN(rows - first, group);
		uint32_t inside = i % (group * cols);

		for (uint32_t rank = 0; rank < each; rank++)
			o->tiles[o->count++] = (struct order_tile){
				.row = (first + inside % tall) * high +
				       rank % high,
				.col = inside / tall * wide + rank / high,
				.block = i % clusters * each + rank,
				.turn = i / clusters, .wave = i / clusters };
	}
	note_numbers(o);
}

#define TILES_FEW 4	/* fewer have no order to be seen */
#define GROUP_MOST 16
#define LARGE (3 << 17)	/* rows that are whole tiles, of any height */

/* Returns how many clusters a C of m x n would take, at one tile each. */
static uint32_t count_clusters(const struct kernel *k, const int *p, int m,
			       int n)
{
	return k->grid(p, m, n, 64).x / k->grid(p, 1, 1, 64).x;
}

/* Finds how many tiles below each other, and side by side, a cluster takes. */
static void find_cluster(struct order *o, const struct trace_info *info)
{
	const struct kernel *k = kernel_find(info->kernel);
	const struct kernel_param *beside = k ? kernel_param(k, "BESIDE") : NULL;
	int p[KERNEL_PARAMS];

	o->high = o->wide = 1;
	if (!k || !k->cluster || !o->persistent)
		return;
	kernel_values(k, p, trace_define, info);
	o->wide = beside ? (uint32_t)p[beside - k->params] : 1;
	o->high = k->cluster(p) / o->wide;
}

/* Replaces a small problem by one with two groups of rows and as many columns
 * as clusters run at once: all waves are full and none is shared. */
static void enlarge_problem(struct order *o, const struct trace_info *info)
{
	const struct kernel *k = kernel_find(info->kernel);
	const struct kernel_param *param = k ? kernel_param(k, "GROUP") : NULL;
	int p[KERNEL_PARAMS];
	uint32_t high = o->high, wide = o->wide, group, clusters;

	if (!o->persistent || o->count >= TILES_FEW || !param || !k->cluster)
		return;
	kernel_values(k, p, trace_define, info);
	group = (uint32_t)p[param - k->params];
	clusters = get_measured_sms() / (high * wide);
	if (group > GROUP_MOST || !clusters)
		return;
	o->larger = true;
	o->rows = 2 * group * high;
	o->cols = clusters * wide;
	o->tile_rows = LARGE / (count_clusters(k, p, LARGE, 1) * high);
	o->tile_cols = LARGE / (count_clusters(k, p, 1, LARGE) * wide);
	o->m = o->k = o->rows * o->tile_rows;
	o->n = o->cols * o->tile_cols;
	o->at_once = o->cols * high;
	order_by_groups(o, high, wide, group);
}

void order_free(struct order *o)
{
	if (!o)
		return;
	order_free(o->by_rows);
	free(o->before);
	free(o->tiles);
	free(o->number);
	free(o->reads);
	free(o);
}

bool order_has_waves(const struct scene *sc)
{
	const struct kernel *k = kernel_find(sc->info->kernel);
	const struct trace_dim *g = &sc->info->grid;

	return (k && k->persistent) ||
	       (uint64_t)g->x * g->y * g->z > get_measured_sms();
}

static void put_in_order(struct order *o, const struct tile_search *f)
{
	const struct kernel *k = kernel_find(f->s->info->kernel);
	const struct trace_dim *g = &f->s->info->grid;
	const struct trace_array *c = &f->s->info->arrays[f->c];

	for (size_t i = 0; i < f->count; i++) {
		const struct box *b = &f->taken[i].box;

		o->tile_rows = MAX(o->tile_rows, b->row1 - b->row0 + 1);
		o->tile_cols = MAX(o->tile_cols, b->col1 - b->col0 + 1);
	}
	o->persistent = k && k->persistent;
	find_cluster(o, f->s->info);
	o->at_once = o->persistent ? g->x * g->y * g->z : get_measured_sms();
	if (!o->at_once)
		o->at_once = g->x * g->y * g->z;
	o->rows = (uint32_t)((c->dims[0] + o->tile_rows - 1) / o->tile_rows);
	o->cols = (uint32_t)((c->dims[1] + o->tile_cols - 1) / o->tile_cols);
	o->tiles = xcalloc(f->count, sizeof(*o->tiles));
	for (size_t i = 0; i < f->count; i++) {
		const struct taken_tile *t = &f->taken[i];

		o->tiles[o->count++] = (struct order_tile){
			.row = t->box.row0 / o->tile_rows,
			.col = t->box.col0 / o->tile_cols,
			.block = t->block, .turn = t->turn,
			.wave = o->persistent ? t->turn :
						t->block / o->at_once };
	}
	o->m = f->s->info->m;
	o->n = f->s->info->n;
	o->k = f->s->info->k;
	note_numbers(o);
}

uint32_t order_at(const struct order *o, uint32_t row, uint32_t col)
{
	return o->number[row * o->cols + col];
}

bool order_wave_reads(const struct order *o, uint32_t wave, uint32_t at,
		      bool row)
{
	return find_wave_reads(o, wave)[row ? at : o->rows + at];
}

/* Counts the strips that a wave reads, of elements of `bytes` bytes. */
static struct order_strips count_wave(const struct order *o, uint32_t wave,
				      double bytes)
{
	struct order_strips n = { 0 };

	for (uint32_t i = 0; i < o->rows; i++)
		n.a += order_wave_reads(o, wave, i, true);
	for (uint32_t i = 0; i < o->cols; i++)
		n.b += order_wave_reads(o, wave, i, false);
	n.bytes = (n.a * (double)o->tile_rows + n.b * (double)o->tile_cols) *
		  o->k * bytes;
	return n;
}

/* Finds the shown wave's tiles, and counts what they read. */
static void count_strips(const struct stage *s, struct order *o, bool all)
{
	const struct trace_array *a = s->scene.arrays[s->scene.a].array;
	double bytes = a->elem_bytes;

	o->first = o->end = 0;
	for (uint32_t i = 0; i < o->count; i++)
		if (o->tiles[i].wave == o->wave) {
			o->first = o->end ? o->first : i;
			o->end = i + 1;
		}
	o->strips = count_wave(o, o->wave, bytes);
	o->asked = (o->end - o->first) *
		   ((double)o->tile_rows / o->wide +
		    (double)o->tile_cols / o->high) * o->k * bytes;
	if (!all)
		return;
	o->total = 0;
	for (uint32_t i = 0; i < o->waves; i++)
		o->total += count_wave(o, i, bytes).bytes;
}

static int compare_places(const void *a, const void *b)
{
	const struct order_tile *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return x->col < y->col ? -1 : x->col > y->col;
}

/* Makes the order in which the same tiles are taken row by row. */
static void order_rows(struct order *o)
{
	struct order *r = xcalloc(1, sizeof(*r));

	*r = *o;
	r->by_rows = NULL;
	r->now = ORDER_NONE;
	r->before = NULL;
	r->number = NULL;
	r->reads = NULL;
	r->tiles = xcalloc(o->count, sizeof(*r->tiles));
	memcpy(r->tiles, o->tiles, o->count * sizeof(*r->tiles));
	if (o->group) {
		order_by_groups(r, o->high, o->wide, 1);
	} else {
		qsort(r->tiles, r->count, sizeof(*r->tiles), compare_places);
		for (uint32_t i = 0; i < r->count; i++)
			r->tiles[i].wave = i / r->at_once;
		note_numbers(r);
	}
	order_free(o->by_rows);
	o->by_rows = r;
}

/* Finds the cursor's tile: that of the block's turn, which its pipeline's
 * copies tell, else the first; and the tile's wave. */
static void find_current_tile(struct stage *s, struct order *o)
{
	const struct scene *sc = &s->scene;
	uint32_t turn = 0;

	if (o->persistent) {
		uint32_t tile, step;

		scene_pipeline(s);
		step = sc->pipeline ? sc->pipeline_now.step : 0;
		for (tile = 0; sc->pipeline && tile < sc->pipeline->tile_count;
		     tile++)
			if (sc->pipeline->tiles[tile].used != PIPELINE_NONE &&
			    sc->pipeline->tiles[tile].used <= step)
				turn = MAX(turn,
					   sc->pipeline->tiles[tile].lap);
	}
	o->now = ORDER_NONE;
	for (uint32_t i = 0; !o->larger && i < o->count; i++)
		if (o->tiles[i].block == sc->warp.block &&
		    o->tiles[i].turn == turn)
			o->now = i;
	o->wave = o->larger ? (o->waves - 1) / 3 :
		  o->now == ORDER_NONE ? 0 : o->tiles[o->now].wave;
}

/* Makes the order of a larger problem's tiles by groups of another height: by
 * halves and doubles of the kernel's own, which is half of the rows. */
static void regroup_tiles(struct order *o, int by)
{
	uint32_t group = o->rows / o->high / 2;

	for (; by > 0 && group < o->rows / o->high; by--)
		group *= 2;
	for (; by < 0 && group > 1; by++)
		group /= 2;
	if (group == o->group)
		return;
	free(o->before);
	o->before = xcalloc(o->count, sizeof(*o->before));
	memcpy(o->before, o->tiles, o->count * sizeof(*o->before));
	o->before_at = ORDER_NONE;
	order_by_groups(o, o->high, o->wide, group);
	o->total = 0;
}

/* Forgets the order before the last regrouping once the reader has moved on to
 * another wave or request. */
static void forget_before(struct order *o, uint32_t request)
{
	if (!o->before)
		return;
	if (o->before_at == ORDER_NONE) {
		o->before_at = request;
		o->before_wave = o->wave;
	} else if (o->before_at != request || o->before_wave != o->wave) {
		free(o->before);
		o->before = NULL;
	}
}

void scene_order(struct stage *s, const struct turns *t)
{
	struct scene *sc = &s->scene;
	struct tile_search f = { .s = s };
	struct order *o;

	sc->order = NULL;
	if (!sc->site || !sc->product || sc->a < 0 || sc->b < 0 || sc->c < 0)
		return;
	if (!s->order) {
		f.a = sc->arrays[sc->a].id;
		f.b = sc->arrays[sc->b].id;
		f.c = sc->arrays[sc->c].id;
		s->order = xcalloc(1, sizeof(*s->order));
		for (size_t i = 0; i < trace_warp_count(s->trace) &&
				   sc->arrays[sc->c].array->rank == 2; i++)
			find_warp_tiles(&f, i);
		if (f.count) {
			qsort(f.taken, f.count, sizeof(*f.taken), by_order);
			put_in_order(s->order, &f);
			enlarge_problem(s->order, s->info);
		}
		free(f.taken);
	}
	o = s->order;
	if (!o->count)
		return;
	if (o->larger)
		regroup_tiles(o, t->group);
	if (!o->by_rows)
		order_rows(o);
	find_current_tile(s, o);
	o->wave = (uint32_t)(((int)o->wave + t->wave) % (int)o->waves +
			     (int)o->waves) % o->waves;
	forget_before(o, sc->cursor.request);
	o->by_rows->wave = MIN(o->wave, o->by_rows->waves - 1);
	count_strips(s, o->by_rows, o->by_rows->total == 0);
	count_strips(s, o, o->total == 0);
	sc->order = o;
}
