/*
 * Grid, block, warp: each lifts out of the one before, with its index computed
 * below it. What a thread does is the picture of matrices.
 */
#include <stdio.h>

#include "base/text.h"
#include "viz/field.h"
#include "viz/frame_model.h"

enum level { GRID = 1, BLOCK, WARP };
#define LEVELS WARP
#define GAP 4	/* columns between two */

struct zoom {
	int level;		/* the innermost that is shown */
	int first;		/* the outermost that is shown */
	double lifted[LEVELS + 1];	/* how far each has come out, 0 to 1 */
	struct rect place[LEVELS + 1];	/* of its picture, without its words */
	int sums[LEVELS + 1];	/* rows of sums below each picture */
};

/* ---- progress of the zoom ---- */

/* Computes how far each level is lifted. A level that the reader or the lesson
 * has chosen lifts out during the step; otherwise all do, one after the
 * other. */
static struct zoom zoom_of(const struct frame_model *s)
{
	int chosen = MIN(s->turns.zoom, LEVELS);
	struct zoom z = { .level = chosen ? chosen : LEVELS, .first = GRID };
	double t = s->quiet ? 1 : s->t;

	for (int i = GRID; i <= LEVELS; i++)
		z.lifted[i] = i == GRID || (chosen && i < chosen) ? 1 :
			      chosen ? t :
			      kit_act(t, (i - 2) * 0.5, (i - 1) * 0.5);
	return z;
}

/* ---- the levels' pictures; each returns where the next one lifts out ---- */

static struct rect draw_grid_level(struct canvas *c, struct rect r,
				   const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	struct trace_dim g = sc->info->grid;
	bool rows = sc->row_sum.by == 'y' && sc->col_sum.by == 'x' && !s->quiet;
	uint32_t across = rows ? sc->col_sum.block : 1;
	uint32_t down = rows ? sc->row_sum.block : 1;
	struct field f = field_of(r, g.x, g.y, (g.y - 1) * down);
	char name[32];

	for (uint32_t i = 0; i < g.x * g.y; i++) {
		snprintf(name, sizeof(name), "%u,%u", i % g.x, i / g.x);
		field_draw(c, &f, i % g.x, i / g.x, name,
			   (i % g.x + i / g.x) % 2 ? ROLE_TILE : ROLE_FIELD);
	}
	snprintf(name, sizeof(name), "%u,%u", sc->block.x, sc->block.y);
	field_draw(c, &f, sc->block.x, sc->block.y, name, ROLE_ACCENT);
	if (r.w > 30 && r.h > 6)
		field_rulers(c, &f, sc->block.x, sc->block.y, across, down);
	return field_rect(&f, sc->block.x, sc->block.y);
}

/* Returns how many threads stand side by side. A block that is one long row is
 * folded into two rows for each warp. */
static uint32_t block_across(const struct scene *sc)
{
	struct trace_dim b = sc->info->block;

	return b.y == 1 && b.x > WARP_LANES ? WARP_LANES / 2 : b.x;
}

/* Returns the lanes of the warp that have a thread: the last warp may have
 * fewer than 32. */
static uint32_t lanes_with_threads(const struct scene *sc)
{
	struct trace_dim b = sc->info->block;

	return MIN(WARP_LANES, b.x * b.y * b.z - sc->warp.warp * WARP_LANES);
}

/* Returns the rectangle of the warp's threads in the block, w of which stand
 * side by side. */
static struct rect warp_rect(const struct field *f, const struct scene *sc,
			     uint32_t w)
{
	struct trace_dim b = sc->info->block;
	uint32_t first = sc->warp.warp * WARP_LANES % (b.x * b.y);
	uint32_t last = first + lanes_with_threads(sc) - 1;
	struct rect a = field_rect(f, first / w == last / w ? first % w : 0,
				   first / w);
	struct rect z = field_rect(f, first / w == last / w ? last % w : w - 1,
				   last / w);

	return (struct rect){ a.x, a.y, z.x + z.w - a.x,
			      MAX(z.y + z.h - a.y, 1) };
}

static struct rect draw_block_level(struct canvas *c, struct rect r,
				    const struct frame_model *s)
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
	return warp_rect(&f, sc, w);
}

static struct rect draw_warp_level(struct canvas *c, struct rect r,
				   const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	struct field f = field_of(r, 8, WARP_LANES / 8, 0);

	for (uint32_t lane = 0; lane < lanes_with_threads(sc); lane++) {
		char name[12];

		snprintf(name, sizeof(name), "%u", lane);
		field_draw(c, &f, lane % 8, lane / 8, name,
			   sc->focus_lanes >> lane & 1 ? ROLE_CURSOR :
							 ROLE_HUE(lane));
	}
	return field_rect(&f, sc->cursor.lane % 8, sc->cursor.lane / 8);
}

static struct rect draw_level(struct canvas *c, int level, struct rect r,
			      const struct frame_model *s)
{
	return level == GRID ? draw_grid_level(c, r, s) :
	       level == BLOCK ? draw_block_level(c, r, s) :
				draw_warp_level(c, r, s);
}

/* ---- sums in numbers ---- */

void sum_words(char *buf, size_t size, const struct frame_model *s,
	       const struct home_sum *n, bool thread)
{
	const struct scene *sc = s->scene;
	bool x = n->by == 'x';
	uint32_t block = x ? sc->block.x : sc->block.y;
	uint32_t dim = x ? sc->info->block.x : sc->info->block.y;
	uint32_t t = x ? sc->thread.x : sc->thread.y;
	uint32_t sum = block * n->block + (thread ? t * n->thread : 0);
	char times[24] = "", factor[32];

	if (n->block == dim)
		snprintf(factor, sizeof(factor), "blockDim.%c", n->by);
	else
		snprintf(factor, sizeof(factor), "%u", n->block);
	if (n->thread > 1)
		snprintf(times, sizeof(times), " * %u", n->thread);
	if (thread)
		snprintf(buf, size, "blockIdx.%c * %s + threadIdx.%c%s = "
			 "%u * %u + %u%s = %u", n->by, factor, n->by, times,
			 block, n->block, t, times, sum);
	else
		snprintf(buf, size, "blockIdx.%c * %s = %u * %u = %u", n->by,
			 factor, block, n->block, sum);
}

/* Writes the sum with its name: "row = ...". */
static void named_sum(char *buf, size_t size, const struct frame_model *s,
		      const char *name, const struct home_sum *n, bool thread)
{
	char sum[128];

	sum_words(sum, sizeof(sum), s, n, thread);
	snprintf(buf, size, "%s = %s", name, sum);
}

static void level_sums(const struct frame_model *s, int level, char buf[2][160])
{
	const struct scene *sc = s->scene;
	struct trace_dim b = sc->info->block;
	uint32_t row = sc->thread.y + b.y * sc->thread.z;

	buf[0][0] = buf[1][0] = 0;
	if (level <= BLOCK && sc->row_sum.by && sc->col_sum.by && !s->quiet) {
		named_sum(buf[0], sizeof(buf[0]), s, level == GRID ?
			  _("first row") : "row", &sc->row_sum, level == BLOCK);
		named_sum(buf[1], sizeof(buf[1]), s, level == GRID ?
			  _("first col") : "col", &sc->col_sum, level == BLOCK);
	} else if (level == WARP && !s->quiet) {
		snprintf(buf[0], sizeof(buf[0]),
			 _("threadIdx.y * blockDim.x + threadIdx.x = %u * %u + "
			   "%u = %u"), row, b.x, sc->thread.x,
			 sc->thread_linear);
		snprintf(buf[1], sizeof(buf[1]),
			 _("%u = 32 * %u + %u: warp %u, lane %u"),
			 sc->thread_linear, sc->warp.warp, sc->cursor.lane,
			 sc->warp.warp, sc->cursor.lane);
	}
}

static void level_title(const struct frame_model *s, int level, char *buf, size_t n)
{
	const struct scene *sc = s->scene;
	struct trace_dim g = sc->info->grid, b = sc->info->block;

	if (level == GRID)
		snprintf(buf, n, ngettext("the grid: %u × %u block",
					  "the grid: %u × %u blocks",
					  g.x * g.y), g.x, g.y);
	else if (level == BLOCK)
		snprintf(buf, n, _("block (%u,%u): %u × %u threads"),
			 sc->block.x, sc->block.y, b.x, b.y);
	else if (level == WARP && lanes_with_threads(sc) < WARP_LANES)
		snprintf(buf, n, _("warp %u: %u of 32 lanes have a thread"),
			 sc->warp.warp, lanes_with_threads(sc));
	else
		snprintf(buf, n, _("warp %u: 32 lanes"), sc->warp.warp);
}

static void draw_level_words(struct canvas *c, const struct zoom *z, int level,
			     const struct frame_model *s)
{
	struct rect r = z->place[level];
	char title[96], sums[2][160];
	int y = r.y + r.h, used;

	level_title(s, level, title, sizeof(title));
	canvas_text(c, r.x, r.y - 1, r.w, title, INK_BOLD(ROLE_TITLE));
	level_sums(s, level, sums);
	for (int i = 0; i < 2 && sums[i][0]; i++) {
		struct rect line = { r.x, y, r.w, r.y + r.h + z->sums[level] - y };

		used = prose_text(NULL, line, 0, sums[i], INK(ROLE_TEXT));
		prose_fit(c, line, sums[i], INK(ROLE_ACCENT));
		y += MIN(used, line.h);
	}
}

/* ---- placing the levels ---- */

/* Returns the cells of a field that show something: those beyond most_w columns
 * do not count. */
static int useful_cells(const struct field *f, int most_w)
{
	int across = (int)((f->w + f->scale - 1) / f->scale);
	int down = (int)((f->h + f->scale - 1) / f->scale);

	return across * MIN(f->each.w, most_w) *
	       (f->each.half ? down / 2 : down * MIN(f->each.h, most_w / 2));
}

/* Returns how much of a level's picture w x h cells show, to compare sizes. */
static int level_gain(const struct frame_model *s, int level, int w, int h)
{
	const struct scene *sc = s->scene;
	struct trace_dim g = sc->info->grid, b = sc->info->block;
	struct rect r = { 0, 0, w, h };
	struct field f;

	if (h < 2)
		return 0;
	f = level == GRID ? field_of(r, g.x, g.y, 100) :
	    level == WARP ? field_of(r, 8, WARP_LANES / 8, 0) :
	    field_of(r, block_across(sc), (b.x * b.y + block_across(sc) - 1) /
		     block_across(sc), 10);
	return useful_cells(&f, level == GRID ? 12 : 8);
}

static int sum_rows(const struct frame_model *s, int level, int w)
{
	struct frame_model told = *s;
	char sums[2][160];
	int rows = 0;

	told.quiet = false;	/* the answer must not move anything */
	level_sums(&told, level, sums);
	for (int i = 0; i < 2 && sums[i][0]; i++)
		rows += prose_text(NULL, (struct rect){ 0, 0, w, 9 }, 0,
				   sums[i], INK(ROLE_TEXT));
	return rows;
}

/* Puts two levels, or the last one alone, side by side in r. Returns how much
 * their pictures show. */
static int place_two_levels(struct zoom *z, const struct frame_model *s, int level,
			    struct rect r)
{
	int n = MIN(z->level - level + 1, 2), sum = 0;
	int w = (r.w - GAP * (n - 1)) / n;

	for (int i = 0; i < n; i++) {
		struct rect *at = &z->place[level + i];
		int sums = MIN(sum_rows(s, level + i, w), r.h / 2);

		*at = (struct rect){ r.x + i * (w + GAP),
				     r.y + 1, w, r.h - 1 - sums };
		z->sums[level + i] = sums;
		sum += level_gain(s, level + i, at->w, at->h);
	}
	return sum;
}

/* Puts grid and block into a row and the warp below, with the heights that show
 * most. If there is too little room, places only the last two. */
static void place_levels(struct zoom *z, const struct frame_model *s, struct rect r)
{
	int best = 0, chosen = r.h;

	if (z->level > BLOCK && (r.h < 26 || r.w < 64))
		z->first = z->level - 1;
	if (z->level - z->first < 2) {
		place_two_levels(z, s, z->first, r);
		return;
	}
	for (int h = 8; h < r.h - 8; h++) {
		int sum = place_two_levels(z, s, GRID,
					   (struct rect){ r.x, r.y, r.w, h }) +
			  place_two_levels(z, s, WARP,
					   (struct rect){ r.x, r.y + h + 1, r.w,
							  r.h - h - 1 });

		if (sum <= best)
			continue;
		best = sum;
		chosen = h;
	}
	place_two_levels(z, s, GRID, (struct rect){ r.x, r.y, r.w, chosen });
	place_two_levels(z, s, WARP, (struct rect){ r.x, r.y + chosen + 1, r.w,
						    r.h - chosen - 1 });
}

/* ---- the picture ---- */

/* Draws lines from a level's rectangle in the one before to its own picture,
 * which is at the right, below, or left of the column `edge`; then clears the
 * picture. */
static void draw_lift_lines(struct canvas *c, struct rect from, struct rect at,
			    int edge)
{
	bool below = at.y > from.y + from.h, left = at.x + at.w < from.x;
	bool right = at.x > from.x + from.w;

	for (int end = 0; end < 2 && (below || left || right); end++) {
		int x = left ? edge - 1 :
			from.x + (below ? end * (from.w - 1) : from.w);
		int y = from.y + (below ? from.h : end * (from.h - 1));
		int under = end ? MIN(at.x + at.w, from.x + from.w) - 1 :
				  MAX(at.x, from.x);
		int to_x = below ? under : at.x + (left ? at.w : -2);
		int to_y = at.y + (below ? -1 : end * (at.h - 1));

		kit_ray(c, x, y, to_x, to_y, 0, 1, INK(ROLE_DIM));
	}
	canvas_erase(c, at);
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	struct zoom z = zoom_of(s);
	struct rect from = r;

	if (r.w < 20 || r.h < 6)
		return;
	r.x++;
	r.w -= 2;
	place_levels(&z, s, r);
	for (int i = z.first; i <= z.level; i++) {
		double t = i == z.first ? 1 : z.lifted[i];
		struct rect at = kit_rect_between(from, z.place[i], t);

		if (t <= 0)
			break;
		if (i > z.first)
			draw_lift_lines(c, from, at, z.place[i - 1].x);
		if (at.w > 2 && at.h > 1)
			from = draw_level(c, i, at, s);
	}
	for (int i = z.first; i <= z.level; i++)
		if (i == z.first || z.lifted[i] >= 1)
			draw_level_words(c, &z, i, s);
}

/* Tells whether the block has fewer threads than elements of C. */
static bool has_several(const struct scene *sc)
{
	const struct box *all = &sc->arrays[sc->c].block;
	struct trace_dim d = sc->info->block;

	return all->known && (uint64_t)(all->row1 - all->row0 + 1) *
	       (all->col1 - all->col0 + 1) > (uint64_t)d.x * d.y * d.z;
}

/* Tells which thread it is, and which element it computes. */
static void grid_words(struct str *out, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	const struct box *home = &sc->home[sc->cursor.lane];

	str_addf(out, _("Thread (%u,%u) of block (%u,%u) is lane %u of warp "
			"%u"), sc->thread.x, sc->thread.y, sc->block.x,
		 sc->block.y, sc->cursor.lane, sc->warp.warp);
	if (sc->product && home->known)
		str_addf(out, has_several(sc) ?
			 _(", and computes several elements of C, C[%u][%u] "
			   "among them") :
			 _(", and computes C[%u][%u]"), home->row0,
			 home->col0);
	str_add(out, _("."));
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
	  .help = N_("zoom from the grid to the block and the warp"),
	  .turn = turn_zoom, .by = 1 },
};

const struct view view_grid = {
	.name = "grid",
	.title = N_("grid and block"),
	.help = N_("where the focused thread is among all"),
	.pane = PANE_PICTURE,
	.rank = rank,
	.draw = draw,
	.words = grid_words,
	.keys = keys,
	.key_count = LENGTH(keys),
};
