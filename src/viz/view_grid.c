/*
 * Grid, block, warp, thread: each lifts out of the one before, with its sum in
 * numbers below. The thread then walks along a row of A and a column of B.
 */
#include <stdio.h>

#include "base/text.h"
#include "viz/show.h"

enum level { GRID = 1, BLOCK, WARP, THREAD };
#define LEVELS THREAD

struct zoom {
	int level;		/* the innermost that is shown */
	int first;		/* the outermost that is shown */
	double lifted[LEVELS + 1];	/* how far each has come out, 0 to 1 */
	double walk;
	struct rect place[LEVELS + 1];	/* of its picture, without its words */
	int sums;		/* rows of sums below each picture */
};

/* ---- how far the zoom is, and where it goes ---- */

/* Where the reader or the lesson has chosen a level, that one lifts out during
 * the step; else all four do, one after the other. */
static struct zoom zoom_of(const struct show *s)
{
	int chosen = s->turns.zoom;
	struct zoom z = { .level = chosen ? chosen : THREAD, .first = GRID };
	double t = s->quiet ? 1 : s->t;

	for (int i = GRID; i <= LEVELS; i++)
		z.lifted[i] = i == GRID || (chosen && i < chosen) ? 1 :
			      chosen ? kit_act(t, 0, chosen == THREAD ? 0.4 :
							1) :
			      kit_act(t, (i - 2) * 0.2, (i - 1) * 0.2);
	z.walk = z.level < THREAD ? 0 : kit_act(t, chosen ? 0.4 : 0.6, 1);
	return z;
}

/* Beside each other, or in two rows of two; where there is too little room for
 * either, only the last two. */
static void place(struct zoom *z, struct rect r)
{
	int n = z->level, columns, rows, w, h;

	if (n > 2 && (r.h < 26 || r.w < 64)) {
		z->first = z->level - 1;
		n = 2;
	}
	columns = MIN(n, 2);
	rows = (n + 1) / 2;
	w = (r.w - 4 * (columns - 1)) / columns;
	h = (r.h - (rows - 1)) / rows;
	z->sums = w < 66 && h > 10 ? 4 : 2;
	for (int i = z->first; i <= z->level; i++) {
		int at = i - z->first;

		z->place[i] = (struct rect){
			r.x + at % 2 * (w + 4), r.y + at / 2 * (h + 1) + 1, w,
			h - 1 - z->sums,
		};
	}
}

/* ---- boxes in rows and columns ---- */

/* Things of a level: w x h of them, each of `each` cells; a gap stands between
 * two where there is room. A cell may stand for `scale` things each way. */
struct field {
	struct rect r;
	uint32_t w, h, scale;
	struct kit_size each;
	int gap;
};

/* `last`: the largest number at the left. */
static struct field field_of(struct rect r, uint32_t w, uint32_t h,
			     uint32_t last)
{
	struct field f = { r, w, h, 1, { 0, 0, false }, 1 };
	int left = r.w <= 30 ? 0 : last < 100 ? 3 : 4, top = r.h > 6;

	f.r.x += left;
	f.r.w -= left;
	f.r.y += top;
	f.r.h -= top;
	for (;; f.scale *= 2) {
		int across = (int)((w + f.scale - 1) / f.scale);
		int down = (int)((h + f.scale - 1) / f.scale);

		f.each.w = (f.r.w + 1) / across - 1;
		f.each.h = (f.r.h + 1) / down - 1;
		f.each.w = MIN(f.each.w, 4 * f.each.h + 8);
		f.each.h = MIN(f.each.h, f.each.w);
		if (f.each.w > 1 && f.each.h > 0)
			return f;
		f.gap = 0;
		f.each = kit_fit(f.r.w, f.r.h, (uint32_t)down,
				 (uint32_t)across);
		if (f.each.half)
			f.each.w = MIN(f.r.w / across, 2);
		if (f.each.w)
			return f;
		f.gap = 1;
	}
}

static struct rect field_rect(const struct field *f, uint32_t x, uint32_t y)
{
	int dx = (int)(x / f->scale) * (f->each.w + f->gap);
	int dy = (int)(y / f->scale) * (f->each.h + f->gap);

	if (f->each.half)
		dy = (int)(y / f->scale) / 2;
	return (struct rect){ f->r.x + dx, f->r.y + dy, f->each.w,
			      f->each.h };
}

static void field_draw(struct canvas *c, const struct field *f, uint32_t x,
		       uint32_t y, const char *text, enum role role)
{
	struct rect r = field_rect(f, x, y);
	enum role ink = role == ROLE_FIELD || role == ROLE_TILE ? ROLE_DIM :
								 ROLE_ON_HUE;

	for (int i = 0; f->each.half && i < r.w; i++)
		canvas_pixel(c, r.x + i, 2 * f->r.y + (int)(y / f->scale),
			     role);
	if (!f->each.half)
		kit_box(c, r, text && text_width(text) < r.w + f->gap ? text : NULL,
			INK_ON(ink, role));
}

/* Numbers of columns and rows, each times `step`, at the first things and the
 * one in focus. */
static void field_rulers(struct canvas *c, const struct field *f, uint32_t x,
			 uint32_t y, uint32_t across, uint32_t down)
{
	int next = 0;

	for (uint32_t i = 0; i < f->w; i++) {
		struct rect r = field_rect(f, i, 0);
		char n[16];

		snprintf(n, sizeof(n), "%u", i * across);
		if (r.x < next && i != x)
			continue;
		if (i == x)
			canvas_fill(c, (struct rect){ r.x - 1, r.y - 1, 5, 1 },
				    ' ', INK(ROLE_NONE));
		next = r.x + 1 + canvas_text(c, r.x, r.y - 1, -1, n, i == x ?
					     INK_BOLD(ROLE_STRONG) :
					     INK(ROLE_FAINT));
	}
	next = 0;
	for (uint32_t i = 0; i < f->h; i++) {
		struct rect r = field_rect(f, 0, i);
		char n[16];

		snprintf(n, sizeof(n), "%u", i * down);
		if (r.y < next && i != y)
			continue;
		next = r.y + 1;
		canvas_right(c, r.x - 4, r.y, 3, n, i == y ?
			     INK_BOLD(ROLE_STRONG) : INK(ROLE_FAINT));
	}
}

/* ---- the levels' pictures; each returns where the next one lifts out ---- */

static struct rect draw_grid(struct canvas *c, struct rect r,
			     const struct show *s)
{
	const struct scene *sc = s->scene;
	struct trace_dim g = sc->info->grid, b = sc->info->block;
	bool rows = sc->row_by == 'y' && sc->col_by == 'x' && !s->quiet;
	struct field f = field_of(r, g.x, g.y, (g.y - 1) * (rows ? b.y : 1));
	char name[32];

	for (uint32_t i = 0; i < g.x * g.y; i++) {
		snprintf(name, sizeof(name), "%u,%u", i % g.x, i / g.x);
		field_draw(c, &f, i % g.x, i / g.x, name,
			   (i % g.x + i / g.x) % 2 ? ROLE_TILE : ROLE_FIELD);
	}
	snprintf(name, sizeof(name), "%u,%u", sc->block.x, sc->block.y);
	field_draw(c, &f, sc->block.x, sc->block.y, name, ROLE_ACCENT);
	if (r.w > 30 && r.h > 6)
		field_rulers(c, &f, sc->block.x, sc->block.y, rows ? b.x : 1,
			     rows ? b.y : 1);
	return field_rect(&f, sc->block.x, sc->block.y);
}

/* Threads side by side: a block that is one long row is folded, with two rows
 * for a warp. */
static uint32_t block_across(const struct scene *sc)
{
	struct trace_dim b = sc->info->block;

	return b.y == 1 && b.x > WARP_LANES ? WARP_LANES / 2 : b.x;
}

static struct rect draw_block(struct canvas *c, struct rect r,
			      const struct show *s)
{
	const struct scene *sc = s->scene;
	struct trace_dim b = sc->info->block;
	uint32_t w = block_across(sc), h = (b.x * b.y + w - 1) / w;
	uint32_t at = sc->thread.y * b.x + sc->thread.x;
	uint32_t down = w < b.x ? w : 1;	/* from a row's number to the next */
	struct field f = field_of(r, w, h, (h - 1) * down);

	/* The focus comes last: a mark of several threads shows it. */
	for (int pass = 0; pass < 3; pass++)
		for (uint32_t i = 0; i < b.x * b.y; i++) {
			uint32_t t = i + b.x * b.y * sc->thread.z;
			bool own = t / WARP_LANES == sc->warp.warp;
			bool lit = own && sc->focus_lanes >> t % WARP_LANES & 1;
			char name[32];

			if (pass != (lit ? 2 : own))
				continue;
			snprintf(name, sizeof(name), "%u,%u", i % b.x,
				 i / b.x);
			field_draw(c, &f, i % w, i / w, name, lit ?
				   ROLE_CURSOR : own ?
				   ROLE_HUE(t % WARP_LANES) : ROLE_FIELD);
		}
	if (r.w > 30 && r.h > 6)
		field_rulers(c, &f, at % w, at / w, 1, down);
	return field_rect(&f, at % w, at / w);
}

/* The lanes of the warp that have a thread: the last warp may have fewer. */
static uint32_t lanes_of(const struct scene *sc)
{
	struct trace_dim b = sc->info->block;

	return MIN(WARP_LANES, b.x * b.y * b.z - sc->warp.warp * WARP_LANES);
}

static struct rect draw_warp(struct canvas *c, struct rect r,
			     const struct show *s)
{
	const struct scene *sc = s->scene;
	struct field f = field_of(r, 8, WARP_LANES / 8, 0);

	for (uint32_t lane = 0; lane < lanes_of(sc); lane++) {
		char name[12];

		snprintf(name, sizeof(name), "%u", lane);
		field_draw(c, &f, lane % 8, lane / 8, name,
			   sc->focus_lanes >> lane & 1 ? ROLE_CURSOR :
							 ROLE_HUE(lane));
	}
	return field_rect(&f, sc->cursor.lane % 8, sc->cursor.lane / 8);
}

/* One product: A's element, B's, and the sum with it. */
struct product { double a, b, sum; };

/* The products of the thread's element up to and with k; false: A and B are not
 * known, or the thread has no element. */
static bool product_at(const struct show *s, uint32_t k, struct product *p)
{
	const struct scene *sc = s->scene;
	const struct box *home = &sc->home[sc->cursor.lane];

	*p = (struct product){ 0, 0, 0 };
	if (!home->known || sc->a < 0 || sc->b < 0 || k >= sc->info->k)
		return false;
	for (uint32_t i = 0; i <= k; i++) {
		if (!scene_element(sc, &sc->arrays[sc->a], home->row0, i,
				   &p->a) ||
		    !scene_element(sc, &sc->arrays[sc->b], i, home->col0,
				   &p->b))
			return false;
		p->sum += p->a * p->b;
	}
	return true;
}

/* How far the walk is: where the thread loads its row of A or its column of B,
 * there; else it goes over all of them in the step. */
static uint32_t walk_at(const struct show *s, double walk)
{
	const struct scene *sc = s->scene;
	const struct box *home = &sc->home[sc->cursor.lane];

	if (sc->flat && home->known && sc->site->op == OP_LD) {
		if (sc->array == sc->arrays[sc->a].array &&
		    sc->row == home->row0)
			return (uint32_t)sc->col;
		if (sc->array == sc->arrays[sc->b].array &&
		    sc->col == home->col0)
			return (uint32_t)sc->row;
	}
	return (uint32_t)(walk * (sc->info->k - 1) + 0.5);
}

/* The sum, in large, under the products that led to it. */
static struct rect draw_thread(struct canvas *c, struct rect r,
			       const struct show *s, double walk)
{
	uint32_t k = walk_at(s, walk);
	int big = r.h > 9 ? 6 : 0, rows = r.h - big;
	struct product p;
	char sum[32];

	for (int i = 0; i < rows && i <= (int)k && product_at(s, k, &p); i++) {
		uint32_t at = k - (uint32_t)MIN(rows - 1, (int)k) + (uint32_t)i;
		struct ink ink = at == k ? INK_BOLD(ROLE_STRONG) :
					   INK(ROLE_DIM);

		product_at(s, at, &p);
		canvas_textf(c, r.x, r.y + i, r.w, ink,
			     "k = %-3u %3g * %-3g= %4g   \xce\xa3 %g", at,
			     p.a, p.b, p.a * p.b, p.sum);
	}
	if (big && product_at(s, k, &p)) {
		snprintf(sum, sizeof(sum), "%g", p.sum);
		kit_number(c, (struct rect){ r.x, r.y + r.h - 5, r.w, 5 }, sum,
			   ROLE_ACCENT);
	}
	return r;
}

static struct rect draw_level(struct canvas *c, int level, struct rect r,
			      const struct show *s, double walk)
{
	switch (level) {
	case GRID: return draw_grid(c, r, s);
	case BLOCK: return draw_block(c, r, s);
	case WARP: return draw_warp(c, r, s);
	default: return draw_thread(c, r, s, walk);
	}
}

/* ---- sums in numbers ---- */

/* "row = blockIdx.y * blockDim.y + threadIdx.y = 2 * 8 + 5 = 21" */
static void sum_words(char *buf, size_t size, const struct show *s,
		      const char *name, char by, bool thread)
{
	const struct scene *sc = s->scene;
	struct trace_dim b = sc->info->block;
	uint32_t block = by == 'x' ? sc->block.x : sc->block.y;
	uint32_t dim = by == 'x' ? b.x : b.y;
	uint32_t t = by == 'x' ? sc->thread.x : sc->thread.y;
	char result[16] = "?";

	if (!s->quiet)
		snprintf(result, sizeof(result), "%u",
			 block * dim + (thread ? t : 0));
	if (thread)
		snprintf(buf, size, "%s = blockIdx.%c * blockDim.%c + "
			 "threadIdx.%c = %u * %u + %u = %s", name, by, by, by,
			 block, dim, t, result);
	else
		snprintf(buf, size, "blockIdx.%c * blockDim.%c = %u * %u = %s",
			 by, by, block, dim, result);
}

static void level_sums(const struct show *s, int level, char buf[2][160])
{
	const struct scene *sc = s->scene;
	struct trace_dim b = sc->info->block;
	const struct box *home = &sc->home[sc->cursor.lane];
	uint32_t row = sc->thread.y + b.y * sc->thread.z, k;
	struct product p;

	buf[0][0] = buf[1][0] = 0;
	if (level <= BLOCK && sc->row_by && sc->col_by) {
		sum_words(buf[0], sizeof(buf[0]), s, "row", sc->row_by,
			  level == BLOCK);
		sum_words(buf[1], sizeof(buf[1]), s, "col", sc->col_by,
			  level == BLOCK);
	} else if (level == WARP && !s->quiet) {
		snprintf(buf[0], sizeof(buf[0]),
			 _("threadIdx.y * blockDim.x + threadIdx.x = %u * %u + "
			   "%u = %u"), row, b.x, sc->thread.x,
			 sc->thread_linear);
		snprintf(buf[1], sizeof(buf[1]),
			 _("%u = 32 * %u + %u: warp %u, lane %u"),
			 sc->thread_linear, sc->warp.warp, sc->cursor.lane,
			 sc->warp.warp, sc->cursor.lane);
	} else if (level == THREAD && home->known && !s->quiet) {
		snprintf(buf[0], sizeof(buf[0]),
			 _("row %u of A, column %u of B: their products add "
			   "up to C[%u][%u]"), home->row0, home->col0,
			 home->row0, home->col0);
		k = walk_at(s, zoom_of(s).walk);
		if (k + 1 < sc->info->k && product_at(s, k, &p))
			snprintf(buf[1], sizeof(buf[1]),
				 _("so far, to k = %u: %g"), k, p.sum);
	}
}

static void level_title(const struct show *s, int level, char *buf, size_t n)
{
	const struct scene *sc = s->scene;
	struct trace_dim g = sc->info->grid, b = sc->info->block;

	if (level == GRID)
		snprintf(buf, n, _("the grid: %u × %u blocks"), g.x, g.y);
	else if (level == BLOCK)
		snprintf(buf, n, _("block (%u,%u): %u × %u threads"),
			 sc->block.x, sc->block.y, b.x, b.y);
	else if (level == WARP && lanes_of(sc) < WARP_LANES)
		snprintf(buf, n, _("warp %u: %u of 32 lanes have a thread"),
			 sc->warp.warp, lanes_of(sc));
	else if (level == WARP)
		snprintf(buf, n, _("warp %u: 32 lanes"), sc->warp.warp);
	else
		snprintf(buf, n, _("thread (%u,%u)"), sc->thread.x,
			 sc->thread.y);
}

static void draw_words(struct canvas *c, const struct zoom *z, int level,
		       const struct show *s)
{
	struct rect r = z->place[level];
	char title[96], sums[2][160];
	int y = r.y + r.h, used;

	level_title(s, level, title, sizeof(title));
	canvas_text(c, r.x, r.y - 1, r.w, title, INK_BOLD(ROLE_TITLE));
	level_sums(s, level, sums);
	for (int i = 0; i < 2 && sums[i][0]; i++) {
		struct rect line = { r.x, y, r.w, r.y + r.h + z->sums - y };

		used = prose_text(NULL, line, 0, sums[i], INK(ROLE_TEXT));
		prose_fit(c, line, sums[i], INK(ROLE_ACCENT));
		y += MIN(used, line.h);
	}
}

/* ---- the picture ---- */

static struct rect between(struct rect a, struct rect b, double t)
{
	return (struct rect){
		(int)(kit_between(a.x, b.x, t) + 0.5),
		(int)(kit_between(a.y, b.y, t) + 0.5),
		(int)(kit_between(a.w, b.w, t) + 0.5),
		(int)(kit_between(a.h, b.h, t) + 0.5),
	};
}

/* Lines from where a level stands in the one before to its own picture; that
 * one stays on top of them. */
static void draw_lines(struct canvas *c, const struct zoom *z, int level,
		       struct rect from, struct rect at, const struct show *s)
{
	double on = at.x > from.x;
	int x = from.x + from.w;

	kit_ray(c, x, from.y, at.x - 2, at.y, 0, on, INK(ROLE_DIM));
	kit_ray(c, x, from.y + from.h - 1, at.x - 2, at.y + at.h - 1, 0, on,
		INK(ROLE_DIM));
	draw_level(c, level - 1, z->place[level - 1], s, z->walk);
	canvas_erase(c, at);
}

static void draw(struct canvas *c, struct rect r, const struct show *s)
{
	struct zoom z = zoom_of(s);
	struct rect from = r;

	if (r.w < 20 || r.h < 6)
		return;
	r.x++;
	r.w -= 2;
	place(&z, r);
	for (int i = z.first; i <= z.level; i++) {
		double t = i == z.first ? 1 : z.lifted[i];
		struct rect at = between(from, z.place[i], t);

		if (t <= 0)
			break;
		if (i > z.first)
			draw_lines(c, &z, i, from, at, s);
		if (t >= 1)
			draw_words(c, &z, i, s);
		if (at.w > 2 && at.h > 1)
			from = draw_level(c, i, at, s, z.walk);
	}
}

static enum view_rank rank(const struct scene *sc)
{
	(void)sc;
	return RANK_ALWAYS;
}

static void turn_zoom(struct turns *t, const struct scene *sc, int by)
{
	(void)sc;
	t->zoom = (t->zoom + by + LEVELS + 1) % (LEVELS + 1);
}

static const struct view_key keys[] = {
	{ .keys = { 'z' }, .key = "z", .word = N_("zoom"),
	  .help = N_("zoom from the grid to the block, the warp, the thread"),
	  .turn = turn_zoom, .by = 1 },
};

const struct view view_grid = {
	.name = "grid",
	.title = N_("grid and block"),
	.help = N_("where the focused thread is among all"),
	.pane = PANE_PICTURE,
	.rank = rank,
	.draw = draw,
	.keys = keys,
	.key_count = LENGTH(keys),
};
