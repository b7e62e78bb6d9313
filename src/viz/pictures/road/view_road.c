/* view_road: a tile's road: one thread orders it, the hardware copies it, an
 * mbarrier counts its bytes, tensor cores read it. */
#include "viz/pictures/road/view_road.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/raster.h"

/* ---- the state now ---- */

struct road_view road_view(const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	const struct road_now *now = &sc->road_now;
	struct road_view v = { .s = s, .road = sc->road,
			       .t = s->quiet ? 0 : s->t };

	v.use = &v.road->uses[now->use];
	v.event = &v.road->events[now->last];
	v.kind = v.event->kind;
	v.at = now->event != ROAD_NONE;
	v.box = now->looks[0].box == ROAD_NONE ? NULL :
		&v.road->boxes[now->looks[0].box];
	if (v.box && !v.box->to)
		v.box = NULL;
	return v;
}

double road_ordered(const struct road_view *v, const struct road_box *b)
{
	uint64_t when = v->s->scene->road_now.when;

	return b->ordered < when ? 1 : b->ordered > when ? 0 : v->t;
}

double road_part(const struct road_view *v, const struct road_box *b)
{
	uint64_t when = v->s->scene->road_now.when;

	if (v->at && v->kind == ROAD_WAIT && b->landed > v->event->comes &&
	    b->landed <= when)
		return kit_act(v->t, 0, 0.5);
	if (!b->landed || b->landed > when)
		return 0;
	return b->landed == when ? v->t : 1;
}

double road_bytes(const struct road_view *v)
{
	double bytes = 0;

	for (size_t i = 0; i < v->use->box_count; i++) {
		const struct road_box *b = &v->road->boxes[v->use->boxes[i]];

		bytes += road_part(v, b) >= 1 ? b->to->bytes : 0;
	}
	return bytes;
}

bool road_over(const struct road_view *v, uint64_t when)
{
	uint64_t now = v->s->scene->road_now.when;

	return when && (when < now || (when == now && v->t >= 1));
}

double road_expected(const struct road_view *v)
{
	uint64_t now = v->s->scene->road_now.when;

	for (uint32_t i = v->use->first; i < v->use->end; i++)
		if (v->road->events[i].kind == ROAD_EXPECT &&
		    v->road->events[i].when <= now)
			return v->road->events[i].when < now || v->t >= 1 ?
			       (double)v->use->expected : 0;
	return 0;
}

/* ---- where things are ---- */

#define GLOBAL_W 24	/* columns of the matrix */
#define NOTE_W 8	/* of what the XOR does, between two grids */
#define READ_W 14	/* of what is said about the reads, with the gap */
#define LABEL_W 4	/* of the rows' numbers */
#define CELL_LEAST 3
#define CELL_MOST 6

struct road_plan {
	const struct road_view *v;
	struct road_part part;
	struct rect r;
	int cell, high;		/* columns and rows of a chunk */
	int global;		/* columns of the matrix; 0: none */
	int order, shared, read;	/* left edges of the grids */
	int grid, tower, tower_rows;	/* rows; 0: no towers */
	int lanes;		/* the first row of the mbarriers; 0: none */
};

static void place_grids(struct road_plan *p)
{
	int chunks = (int)p->part.chunks, w;

	p->global = p->r.w >= 100 ? GLOBAL_W : 0;
	w = p->r.w - p->global - 2 * LABEL_W - NOTE_W -
	    (p->global ? READ_W : 4);
	p->cell = MAX(MIN(w / (2 * chunks + 2), CELL_MOST), 1);
	p->order = p->r.x + p->global + LABEL_W;
	p->shared = p->order + p->cell * chunks + NOTE_W + LABEL_W;
	p->read = p->shared + p->cell * chunks + (p->global ? 4 : 3);
}

static struct road_plan plan_road(const struct road_view *v, struct rect r)
{
	struct road_plan p = { .v = v, .r = r };
	int rest, lanes = road_lane_rows(v);

	p.part = road_choose_part(v);
	place_grids(&p);
	p.high = MAX(1, MIN((r.h - 13 - lanes) / ROAD_ROWS, 3));
	p.grid = r.y + 1;
	p.tower = p.grid + ROAD_ROWS * p.high;
	rest = r.y + r.h - p.tower - 1;
	p.tower_rows = rest - lanes >= 10 ? 8 : rest - lanes >= 5 ? 4 :
		       rest - ROAD_LANES_LEAST >= 4 ? 2 : 0;
	rest -= p.tower_rows + (p.tower_rows > 0);
	if (rest > lanes) {
		p.grid++;
		p.tower++;
		rest--;
	}
	if (rest > lanes) {
		p.tower++;
		rest--;
	}
	if (rest >= ROAD_LANES_LEAST)
		p.lanes = r.y + r.h - MIN(rest, lanes);
	return p;
}

/* ---- chunks ---- */

static int grid_y(const struct road_plan *p, uint32_t row)
{
	return p->grid + (int)row * p->high;
}

/* Returns the row of a grid's row in which text stands. */
static int grid_text_y(const struct road_plan *p, uint32_t row)
{
	return grid_y(p, row) + (p->high - 1) / 2;
}

/* Returns how far a row of the box has come: rows fly one after the other. */
static double row_progress(const struct road_plan *p, uint32_t row)
{
	double part = road_part(p->v, p->v->box);

	if (p->part.v->s->turns.swizzle)
		return 1;
	return kit_act(part, row / 12.0, (row + 4) / 12.0 + 1e-9);
}

static struct ink chunk_ink(const struct road_plan *p, uint32_t row,
			    uint32_t chunk)
{
	bool all, reads = road_reads(&p->part, row, chunk, &all);
	enum role hue = (enum role)(ROLE_CHUNK0 + chunk % 8);

	if (row == p->part.row && chunk == p->part.chunk)
		return (struct ink){ ROLE_ON_HUE, ROLE_CURSOR, ATTR_BOLD };
	if (reads || all)
		return (struct ink){ ROLE_ON_HUE, (uint8_t)hue, ATTR_BOLD };
	return INK_ON(ROLE_TEXT, ROLE_FADE0 + chunk % 8 / 2);
}

/* Draws a chunk with its digit; - for one outside the matrix, which is zeros. */
static void draw_chunk(struct canvas *c, const struct road_plan *p, int x,
		       int y, uint32_t row, uint32_t chunk)
{
	uint32_t at_row, at;
	bool inside = road_place(p->v->s->scene->info, p->v->box,
				 p->part.first + row, chunk, &at_row, &at);
	char text[12];

	snprintf(text, sizeof(text), "%u", chunk);
	kit_box(c, (struct rect){ x, y, p->cell, p->high }, inside ? text : "-",
		inside ? chunk_ink(p, row, chunk) :
			 INK_ON(ROLE_DIM, ROLE_TILE));
}

static uint32_t count_box_rows(const struct road_plan *p)
{
	return MIN(ROAD_ROWS, p->v->box->to->tile.rows - p->part.first);
}

static void number_box_rows(struct canvas *c, const struct road_plan *p, int x,
			     uint32_t from)
{
	for (uint32_t row = 0; row < count_box_rows(p); row++)
		canvas_textf(c, x - LABEL_W, grid_text_y(p, row), LABEL_W - 1,
			     row == p->part.row ? INK_BOLD(ROLE_CURSOR) :
			     INK(ROLE_FAINT), "%3u", from + row);
}

/* Draws the box's rows as they are in the matrix. */
static void draw_order_grid(struct canvas *c, const struct road_plan *p)
{
	bool ordered = road_ordered(p->v, p->v->box) > 0;

	number_box_rows(c, p, p->order, p->v->box->row + p->part.first);
	for (uint32_t row = 0; row < count_box_rows(p); row++)
		for (uint32_t i = 0; i < p->part.chunks; i++) {
			int x = p->order + (int)i * p->cell;
			int y = grid_y(p, row);

			draw_chunk(c, p, x, y, row, i);
			if (!ordered)
				kit_box(c, (struct rect){ x, y, p->cell, p->high },
					NULL, INK_ON(ROLE_DIM, ROLE_OWN));
		}
}

/* Returns the column at which a chunk lies in shared memory; while the swizzle
 * turns, it slides. */
static int shared_x(const struct road_plan *p, uint32_t row, uint32_t chunk)
{
	uint32_t to = road_find_place(&p->part, p->part.swizzle, row, chunk).at;
	uint32_t from = road_find_place(&p->part, p->part.before, row,
					chunk).at;
	double t = p->v->s->turns.swizzle ? p->v->t : 1;

	return p->shared + (int)(kit_between(from, to, t) * p->cell + 0.5);
}

static void draw_shared_grid(struct canvas *c, const struct road_plan *p)
{
	struct rect all = { p->shared, p->grid, p->cell * (int)p->part.chunks,
			    (int)count_box_rows(p) * p->high };

	number_box_rows(c, p, p->shared, p->part.first);
	canvas_fill(c, all, ' ', INK_ON(ROLE_FAINT, ROLE_FIELD));
	for (uint32_t row = 0; !p->v->s->quiet && row < count_box_rows(p); row++)
		for (uint32_t i = 0; i < p->part.chunks; i++) {
			double part = row_progress(p, row);
			int from = p->order + (int)i * p->cell;

			if (part > 0)
				draw_chunk(c, p, (int)kit_between(from,
					   shared_x(p, row, i), part),
					   grid_y(p, row), row, i);
		}
}

/* Writes at the row in focus what the XOR does with the chunk in focus. */
static void draw_xor(struct canvas *c, const struct road_plan *p)
{
	uint32_t row = p->part.row, chunk = p->part.chunk;
	uint32_t at = road_find_place(&p->part, p->part.swizzle, row, chunk).at;
	int x = p->order + p->cell * (int)p->part.chunks;

	if (p->v->s->quiet || row >= count_box_rows(p) || row_progress(p, row) < 1)
		return;
	canvas_fill(c, (struct rect){ x, grid_y(p, row), NOTE_W, p->high }, ' ',
		    INK_ON(ROLE_ON_HUE, ROLE_RIBBON_FOCUS));
	canvas_textf(c, x + 1, grid_text_y(p, row), NOTE_W - 2,
		     INK_ON(ROLE_ON_HUE, ROLE_RIBBON_FOCUS), "%u^%u=%u", chunk,
		     chunk ^ at, at);
}

/* Draws the chunks that the wgmma at the cursor reads: in order again. */
static void draw_read_grid(struct canvas *c, const struct road_plan *p)
{
	int x = p->read, end = p->r.x + p->r.w;
	/* While the swizzle turns, all has been read. */
	double t = p->v->s->turns.swizzle ? 1 : p->v->t;
	bool all = true, reads;

	for (uint32_t i = 0; i < p->part.chunks; i++) {
		reads = road_reads(&p->part, 0, i, &all);
		if (!reads || all || x + p->cell > end)
			continue;
		for (uint32_t row = 0; row < count_box_rows(p); row++) {
			int from = shared_x(p, row, i), y = grid_y(p, row);

			canvas_fill(c, (struct rect){ x, y, p->cell, p->high }, ' ',
				    INK_ON(ROLE_FAINT, ROLE_FIELD));
			if (t > 0)
				draw_chunk(c, p, (int)kit_between(from, x, t),
					   y, row, i);
		}
		x += p->cell;
	}
}

/* ---- titles ---- */

static void draw_read_words(struct canvas *c, const struct road_plan *p)
{
	const struct road_look *l = &p->v->s->scene->road_now.looks[0];
	int x = p->read + 2 * p->cell + 1, w = p->r.x + p->r.w - x;
	struct ink ink = INK(ROLE_TEXT);

	if (!l->reads)
		return;
	kit_whole(c, p->read, p->r.y, p->r.x + p->r.w - p->read,
		  p->v->road->wgmma ? _("wgmma reads") : _("threads read"),
		  INK_BOLD(ROLE_STRONG));
	if (p->v->s->quiet || w < 9)
		return;
	canvas_text(c, x, p->grid, w, _("rows:"), ink);
	canvas_textf(c, x, p->grid + 1, w, ink, "%u\xe2\x80\x93%u", l->row0,
		     l->row1);
	canvas_text(c, x, p->grid + 3, w, _("columns:"), ink);
	canvas_textf(c, x, p->grid + 4, w, ink, "%u\xe2\x80\x93%u", l->col0,
		     l->col1);
}

/* Returns whether another swizzle than the recorded one is drawn. */
static bool is_tried(const struct road_plan *p)
{
	return p->part.swizzle >= 0 &&
	       p->part.swizzle != (int)p->v->box->to->tile.swizzle;
}

/* Writes the rule by which chunks are placed. */
static void rule_words(char *buf, size_t size, const struct road_plan *p)
{
	int now = p->part.swizzle < 0 ? (int)p->v->box->to->tile.swizzle :
		  p->part.swizzle;

	if (!now)
		snprintf(buf, size, "%s", _("no swizzle"));
	else
		snprintf(buf, size, _("chunk XOR row mod %d"), now / 16);
}

static void draw_road_titles(struct canvas *c, const struct road_plan *p)
{
	const struct road_box *b = p->v->box;
	int sub = p->grid - 1, w = p->shared - LABEL_W - p->order;
	char text[96], name[64];

	if (p->global)
		canvas_text(c, p->r.x, p->r.y, p->global - 1,
			    _("in global memory"), INK_BOLD(ROLE_STRONG));
	canvas_textf(c, p->order, p->r.y, w, INK_BOLD(ROLE_STRONG),
		     _("box %u \xc3\x97 %u, by rows"), b->to->tile.rows,
		     b->to->tile.columns);
	road_name(name, sizeof(name), p->v->s->scene->info, b->to->array,
		  b->to_at);
	snprintf(text, sizeof(text), _("in shared %s"), name);
	canvas_text(c, p->shared, p->r.y, p->read - p->shared - 1, text,
		    INK_BOLD(ROLE_STRONG));
	draw_read_words(c, p);
	if (sub == p->r.y) {
		snprintf(text, sizeof(text),
			 _("box %u \xc3\x97 %u, chunks of 16 bytes"),
			 b->to->tile.rows, b->to->tile.columns);
		kit_whole(c, p->order, sub, w, text, INK_BOLD(ROLE_STRONG));
		return;
	}
	canvas_text(c, p->order, sub, w, _("chunks of 16 bytes"),
		    INK(ROLE_DIM));
	if (__builtin_popcount(b->blocks) > 1)
		snprintf(text, sizeof(text), _("in %d blocks at once"),
			 __builtin_popcount(b->blocks));
	else
		rule_words(text, sizeof(text), p);
	if (!p->v->s->quiet)
		canvas_text(c, p->shared, sub, p->read - p->shared - 1, text,
			    INK(ROLE_DIM));
}

/* ---- banks ---- */

/* Draws how the chunks of the column in focus stand in the banks. Both towers
 * have one scale. */
static void draw_tower(struct canvas *c, const struct road_plan *p, int x,
		       bool swizzled)
{
	int stack[8], turns = road_turns(&p->part, swizzled, stack);
	enum role hue = (enum role)(ROLE_CHUNK0 + p->part.chunk % 8);
	double high = p->tower_rows / 8.0;
	int bottom = p->tower + 1 + p->tower_rows, at;
	char text[64];
	struct raster g;

	snprintf(text, sizeof(text), _("8 rows of chunk %u: "), p->part.chunk);
	at = x + canvas_text(c, x, p->tower, -1, text, INK(ROLE_TEXT));
	at += canvas_textf(c, at, p->tower, -1,
			   INK_BOLD(turns > 1 ? ROLE_BAD : ROLE_GOOD),
			   ngettext("%d turn", "%d turns", (unsigned)turns),
			   turns) + 1;
	if (swizzled && is_tried(p))
		canvas_text(c, at, p->tower, -1, _("(tried)"), INK(ROLE_TEXT));
	if (!p->tower_rows)
		return;
	raster_begin(&g, (struct rect){ x, p->tower + 1, 8 * p->cell,
					p->tower_rows });
	for (int i = 0; i < 8; i++)
		for (int n = 0; n < stack[i]; n++)
			raster_box(&g, x + i * p->cell,
				   bottom - (n + 1) * high, p->cell, high,
				   n % 2 && p->tower_rows > 2 ? ROLE_SEEN : hue);
	raster_end(&g, c);
	for (int i = 0; i < 8; i++) {
		snprintf(text, sizeof(text), "%d", 4 * i);
		canvas_right(c, x + i * p->cell, bottom, p->cell - 1, text,
			     INK(ROLE_DIM));
	}
	kit_whole(c, x - LABEL_W - 1, bottom, LABEL_W + 1, _("bank"),
		  INK(ROLE_DIM));
}

static void draw_towers(struct canvas *c, const struct road_plan *p)
{
	if (p->v->s->quiet || p->part.chunks != 8 || p->cell < CELL_LEAST ||
	    count_box_rows(p) < ROAD_ROWS)
		return;
	draw_tower(c, p, p->order, false);
	draw_tower(c, p, p->shared, true);
}

/* ---- the picture ---- */

/* Draws the matrix, and a wedge from the box in it to its rows. */
static void draw_global(struct canvas *c, const struct road_plan *p)
{
	struct rect r = { p->r.x, p->r.y + 1, p->global - 5,
			  ROAD_ROWS * p->high + 3 + p->tower_rows };
	struct rect box = road_matrix(c, r, p->v);
	struct raster_wedge w = { .sideways = true };
	struct raster g;
	int x = box.x + box.w, end = p->order - LABEL_W;

	if (!box.h || end <= x)
		return;
	w.a = (struct raster_edge){ box.y, box.y + box.h, x };
	w.b = (struct raster_edge){ p->grid, grid_y(p, count_box_rows(p)), end };
	raster_begin(&g, (struct rect){ x, MIN(box.y, p->grid), end - x,
					r.h + 2 });
	raster_wedge(&g, &w, road_ordered(p->v, p->v->box), ROLE_RIBBON);
	raster_end(&g, c);
}

static void draw_road(struct canvas *c, struct rect r,
		      const struct road_view *v)
{
	struct road_plan p;

	r.x++;
	r.w -= 2;
	if (!v->box || r.h < ROAD_ROWS + 1) {
		if (r.h >= ROAD_LANES_LEAST)
			road_lanes(c, r, v);
		return;
	}
	p = plan_road(v, r);
	if (p.global)
		draw_global(c, &p);
	draw_road_titles(c, &p);
	draw_order_grid(c, &p);
	draw_shared_grid(c, &p);
	draw_xor(c, &p);
	draw_read_grid(c, &p);
	draw_towers(c, &p);
	if (p.lanes)
		road_lanes(c, (struct rect){ r.x, p.lanes, r.w,
					     r.y + r.h - p.lanes }, v);
}

static bool available(const struct frame_model *s)
{
	return s->scene && scene_has_road(s->scene->info);
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	struct rect clip = canvas_clip(c, r);
	struct road_view v;

	if (!s->scene || !s->scene->road) {
		prose_text(c, r, 0, _("TMA brings no tile here."),
			   INK(ROLE_DIM));
	} else {
		v = road_view(s);
		draw_road(c, r, &v);
	}
	canvas_clip(c, clip);
}

static enum view_rank rank(const struct scene *sc)
{
	enum op op = sc->site->op;

	if (!scene_has_road(sc->info))
		return RANK_NONE;
	return op == OP_TMA_LD || op == OP_WGMMA || op == OP_MBAR_ARRIVE ||
	       op == OP_MBAR_WAIT ? RANK_STEP : RANK_NONE;
}

static void prepare(struct stage *s, const struct turns *t)
{
	(void)t;
	scene_road(s);
}

static void turn_chunk(struct turns *t, const struct scene *sc, int by)
{
	(void)sc;
	t->chunk += by;
}

static bool has_swizzle(const struct scene *sc)
{
	const struct road_look *l = &sc->road_now.looks[0];

	return sc->road && l->box != ROAD_NONE &&
	       road_can_swizzle(&sc->road->boxes[l->box]);
}

static void turn_swizzle_key(struct turns *t, const struct scene *sc, int by)
{
	if (has_swizzle(sc))
		t->swizzle += by;
}

static const struct view_key keys[] = {
	{ .keys = { '.' }, .key = ", .", .word = N_("on the road"),
	  .help = N_("the next or previous event on the same tile's road"),
	  .move = road_step, .by = 1 },
	{ .keys = { ',' }, .move = road_step, .by = -1 },
	{ .keys = { '>' }, .key = "< >", .word = N_("stage again"),
	  .help = N_("the next or previous tile in the same stage"),
	  .move = road_lap, .by = 1 },
	{ .keys = { '<' }, .move = road_lap, .by = -1 },
	{ .keys = { '^' }, .key = "^", .word = N_("swizzle"),
	  .has = has_swizzle,
	  .help = N_("a tile's road: another swizzle"),
	  .turn = turn_swizzle_key, .by = 1, .moves = true },
	{ .keys = { 'c' }, .key = "c C", .word = N_("chunk"),
	  .help = N_("a tile's road: the chunk after, or before"),
	  .turn = turn_chunk, .by = 1 },
	{ .keys = { 'C' }, .turn = turn_chunk, .by = -1 },
};

const struct view view_road = {
	.name = "road",
	.title = N_("a tile's road"),
	.help = N_("how TMA brings a tile to shared memory, and who reads it"),
	.pane = PANE_PICTURE,
	.wide = true,
	.lines = 1,
	.available = available,
	.rank = rank,
	.prepare = prepare,
	.draw = draw,
	.words = road_words,
	.keys = keys,
	.key_count = LENGTH(keys),
};
