/*
 * view_order: C's tiles in the order in which blocks take them, as waves. A wave
 * as a line needs all of B; as a square it needs half of A and a bit of B.
 */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/legend.h"
#include "viz/pictures/order/order_board.h"
#include "viz/raster.h"

#define ASIDE 13	/* columns of what is written next to a board, */
#define ASIDE_LEAST 11	/* and the least of them */
#define BESIDE 76	/* columns from which on there are two halves */
#define BELOW 4		/* rows of the bar and of what is written below it */
#define A_WIDTH 8	/* columns of A, whose k is shortened, and rows of B */
#define A_NARROW 3
#define B_HEIGHT 4
#define CELL_LEAST 9	/* columns of a cell, if there is room */
#define CELL_MOST 24	/* ... and where waves are few */

/* What both halves have in common: their scale, and the unit of their bars. */
struct order_plan {
	double scale, most;
	int strip_w, strip_h;
	int margin;		/* columns at a half's left */
	bool aside;		/* words stand next to a board */
	bool alone;		/* there is one half */
};

/* Returns the order that stands next to this one: the same tiles row by row. A
 * small C, or one of two recordings, has none. */
static const struct order *order_beside(const struct frame_model *s)
{
	const struct order *o = s->scene->order;

	return o->larger && !s->twin && o->by_rows ? o->by_rows : NULL;
}

/* Places what has to have one scale, for halves of w x h cells. */
static struct order_plan plan_order(const struct frame_model *s, int w, int h,
				    const struct order *other)
{
	const struct order *o = s->scene->order;
	const struct order *twin = s->twin ? s->twin->order : NULL;
	struct order_plan p = { .alone = !other };
	double m = o->m, n = o->n;
	int left;

	if (twin) {
		m = MAX(m, twin->m);
		n = MAX(n, twin->n);
	}
	p.strip_w = w >= 50 ? A_WIDTH : A_NARROW;
	p.strip_h = h >= 20 ? B_HEIGHT : 2;
	p.margin = w >= 50 ? 2 : 0;
	p.scale = order_scale(m, n, o->rows, w - p.margin - p.strip_w - 1 -
				    (w >= 50 ? ASIDE : 0),
			      h - p.strip_h - 2 - BELOW);
	left = w - p.margin - p.strip_w - 2 - (int)ceil(n * p.scale);
	p.aside = left >= ASIDE_LEAST;
	p.most = o->strips.bytes;
	if (other)
		p.most = MAX(p.most, other->strips.bytes);
	if (twin)
		p.most = MAX(p.most, twin->strips.bytes);
	return p;
}

/* ---- a half ---- */

static void draw_title(struct canvas *c, struct rect r, const struct order *o,
		       bool plain, bool quiet)
{
	uint32_t idle = o->at_once * o->waves - o->count;
	char text[64];
	int x = r.x;

	if (plain)
		snprintf(text, sizeof(text), "%s", _("row by row"));
	else if (o->larger)
		snprintf(text, sizeof(text),
			 ngettext("in groups of %u cluster row",
				  "in groups of %u cluster rows", o->group),
			 o->group);
	else
		snprintf(text, sizeof(text), "%s", _("in the kernel's order"));
	x += canvas_text(c, x, r.y, r.w, text, INK_BOLD(ROLE_STRONG)) + 2;
	snprintf(text, sizeof(text), "%s", o->strips.a < 3 ?
		 _("a wave is a line") : _("a wave is a patch"));
	if (o->larger)
		kit_whole(c, x, r.y, r.x + r.w - x, text, INK(ROLE_DIM));
	snprintf(text, sizeof(text), o->persistent ?
		 _("last wave: %u of %u blocks idle") :
		 _("last wave: %u of %u SMs idle"), idle, o->at_once);
	if (idle && !quiet)
		kit_whole(c, x, r.y, r.x + r.w - x, text,
			  INK_BOLD(ROLE_BAD));
}

/* Writes which wave it is and how many strips it reads. */
static void draw_aside(struct canvas *c, struct rect r, const struct order *o,
		       bool alone, bool quiet)
{
	const struct order *rows = o->by_rows;
	int y = r.y;

	canvas_textf(c, r.x, y, r.w, INK_BOLD(ROLE_STRONG), "C");
	canvas_textf(c, r.x, y + 1, r.w, INK(ROLE_TEXT), "%u \xc3\x97 %u",
		     o->rows, o->cols);
	canvas_text(c, r.x, y + 2, r.w, _("tiles"), INK(ROLE_TEXT));
	y += 4;
	canvas_textf(c, r.x, y++, r.w, INK_BOLD(ROLE_STRONG),
		     _("wave %u of %u"), o->wave + 1, o->waves);
	canvas_textf(c, r.x, y++, r.w, INK(ROLE_TEXT),
		     ngettext("of %u tile", "of %u tiles", o->end - o->first),
		     o->end - o->first);
	if (quiet)
		return;
	y += r.h > 10;
	canvas_textf(c, r.x, y++, r.w, INK_BOLD(ROLE_HUE0),
		     ngettext("%u strip A", "%u strips A", o->strips.a),
		     o->strips.a);
	canvas_textf(c, r.x, y++, r.w, INK_BOLD(ROLE_HUE1),
		     ngettext("%u strip B", "%u strips B", o->strips.b),
		     o->strips.b);
	if (alone && rows) {
		canvas_text(c, r.x, ++y, r.w, _("row by row:"),
			    INK(ROLE_TEXT));
		canvas_textf(c, r.x, y + 1, r.w, INK(ROLE_TEXT), "%u A, %u B",
			     rows->strips.a, rows->strips.b);
	}
}

/* Draws the bytes that a wave needs of DRAM, of A and of B, and writes on the bar
 * or next to it what they are, and below it what the wave asks L2 for. */
static void draw_bytes(struct canvas *c, struct rect r, const struct order *o,
		       const struct order_plan *p, double part)
{
	double all = o->strips.bytes, w = (r.w - 18) * all / p->most;
	double a = w * o->strips.a * o->tile_rows /
		   (o->strips.a * (double)o->tile_rows +
		    o->strips.b * (double)o->tile_cols);
	char text[128], bytes[24], total[24], asked[24];
	bool named = text_width(_("from DRAM")) + 2 <= (int)w;
	struct raster g;

	raster_begin(&g, (struct rect){ r.x, r.y, r.w - 17, 1 });
	raster_box(&g, r.x, r.y, a * part, 1, ROLE_HUE0);
	raster_box(&g, r.x + a * part, r.y, (w - a) * part, 1, ROLE_HUE1);
	raster_end(&g, c);
	kit_bytes(bytes, sizeof(bytes), all);
	kit_bytes(total, sizeof(total), o->total);
	kit_bytes(asked, sizeof(asked), o->asked);
	snprintf(text, sizeof(text), _("%s a wave"), bytes);
	canvas_text(c, r.x + r.w - 16, r.y, 16, text, INK_BOLD(ROLE_STRONG));
	canvas_text(c, r.x + (named ? 1 : (int)ceil(w) + 1), r.y, r.w - 18,
		    _("from DRAM"), INK_BOLD(named ? ROLE_ON_HUE : ROLE_TEXT));
	snprintf(text, sizeof(text), _("of %s asked of L2; %s in all"), asked,
		 total);
	kit_whole(c, r.x, r.y + 1, r.w, text, INK(ROLE_TEXT));
}

static void draw_order(struct canvas *c, struct rect r,
		      const struct frame_model *s, const struct order *o,
		      const struct order_plan *p)
{
	struct order_board b = { o, p->scale, p->strip_w, p->strip_h,
				 r.x + p->margin + p->strip_w + 1,
				 r.y + 2 + p->strip_h + 1 };
	/* The other order stays while this one is grouped anew. */
	double part = s->quiet ? 0 : s->scene->order->before && !o->before ? 1 :
		      s->t;
	int below = b.y + (int)ceil(o->m * p->scale / 2) + 1;

	draw_title(c, r, o, o == s->scene->order->by_rows, s->quiet);
	order_board_draw(c, &b, part, s->quiet);
	if (p->aside) {
		struct rect at = { b.x - p->strip_w - 1 +
				   order_board_width(&b), b.y, ASIDE,
				   below - b.y };
		struct rect old = canvas_clip(c, at);

		draw_aside(c, at, o, p->alone, s->quiet);
		canvas_clip(c, old);
	}
	if (!s->quiet)
		draw_bytes(c, (struct rect){ r.x, below, r.w, 2 }, o, p, 1);
}

/* Writes below the titles what a strip is. */
static void draw_strip_words(struct canvas *c, struct rect r,
			     const struct order *o)
{
	char text[160];

	snprintf(text, sizeof(text), _("a strip: %u rows of A or %u columns of "
		 "B, and all of k; one scale for both halves"), o->tile_rows,
		 o->tile_cols);
	kit_whole(c, r.x, r.y + 1, r.w, text, INK(ROLE_FAINT));
}

/* ---- who computes what in a small C ---- */

/* Returns the columns of a cell: more where waves are few, up to three for each
 * row. */
static int wave_cell_width(struct rect r, const struct order *o)
{
	int high = (r.h - 2) / (int)o->waves;
	int most = MAX(CELL_LEAST, MIN(3 * high, CELL_MOST));

	return MAX(MIN(r.w / (int)o->at_once, most), 1);
}

/* Draws a row for each wave, with a cell for each block or SM: its tile, or
 * that it is idle. */
static void draw_waves(struct canvas *c, struct rect r, const struct order *o,
		       bool quiet)
{
	int w = wave_cell_width(r, o);
	int across = MIN(r.w / w, (int)o->at_once);
	int lines = ((int)o->at_once + across - 1) / across;
	int h = MAX(MIN((r.h - 2) / (int)o->waves / lines, w / 2), 1);
	uint32_t i = 0;
	char text[16];

	canvas_text(c, r.x, r.y, r.w, o->persistent ?
		    _("the blocks, and the tile of each") :
		    _("the SMs, and the tile of each"), INK(ROLE_DIM));
	for (uint32_t wave = 0; wave < o->waves; wave++)
		for (uint32_t at = 0; at < o->at_once; at++) {
			struct rect cell = {
				r.x + (int)at % across * w, r.y + 2 + h *
				((int)wave * lines + (int)at / across),
				w - (w > 2), h - (h > 1) };
			bool used = i < o->count && o->tiles[i].wave == wave;

			snprintf(text, sizeof(text), "%u", i);
			if (cell.y + cell.h <= r.y + r.h)
				kit_box(c, cell, !used ? "\xc2\xb7" : w > 3 ?
					text : NULL, !used && !quiet ?
					INK_ON(ROLE_STRONG, ROLE_WASTE) :
					!used ? INK(ROLE_DIM) :
					wave == o->wave ?
					INK_ON(ROLE_ON_HUE, ROLE_CURSOR) :
					INK_ON(ROLE_TEXT, wave % 2 ?
					       ROLE_OWN : ROLE_TILE));
			i += used;
		}
}

/* ---- the picture ---- */

/* Returns what the waves take for granted. */
static const char *assumed_words(const struct order *o)
{
	return o->persistent && !o->larger ? _("assumed: all blocks in step") :
	       _("assumed: one tile on each SM, in step");
}

/* Writes what is assumed and computed, and at which size. */
static void draw_caveats(struct canvas *c, struct rect r,
			 const struct order *o)
{
	char text[160];

	snprintf(text, sizeof(text), _("Computed: each strip once a wave; %s."),
		 assumed_words(o));
	canvas_text(c, r.x, r.y, r.w, text, INK(ROLE_DIM));
	if (!o->larger)
		return;
	snprintf(text, sizeof(text), _("Drawn at %u \xc3\x97 %u \xc3\x97 %u: "
				       "the recorded C has too few tiles."),
		 o->m, o->n, o->k);
	canvas_text(c, r.x, r.y + 1, r.w, text, INK(ROLE_DIM));
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct order *o = s->scene ? s->scene->order : NULL;
	const struct order *other;
	struct order_plan p;
	int w, low, left;

	if (!o) {
		prose_text(c, r, 0, _("This trace stores nothing to C."),
			   INK(ROLE_DIM));
		return;
	}
	r.x++;
	r.w -= 2;
	other = r.w >= BESIDE ? order_beside(s) : NULL;
	low = o->larger ? 2 : 1;
	w = other || (!s->twin && r.w >= 100) ? (r.w - 1) / 2 : r.w;
	p = plan_order(s, w, r.h - low, other);
	if (r.h < 9 || !(p.scale > 0)) {
		draw_title(c, r, o, false, s->quiet);
		draw_caveats(c, (struct rect){ r.x, r.y + 1, r.w, low }, o);
		return;
	}
	draw_caveats(c, (struct rect){ r.x, r.y + r.h - low, r.w, low }, o);
	r.h -= low;
	if (other)
		draw_order(c, (struct rect){ r.x, r.y, w, r.h }, s, other, &p);
	if (other && r.h >= 24)
		draw_strip_words(c, r, o);
	draw_order(c, (struct rect){ r.x + (other ? w + 1 : 0), r.y, w, r.h },
		  s, o, &p);
	/* A small C leaves room at its right. */
	left = w < r.w ? w + 3 : p.strip_w + 8 + ASIDE +
				 (int)ceil(o->n * p.scale);
	if (!other && !s->twin && !o->larger && r.w - left >= 20)
		draw_waves(c, (struct rect){ r.x + left, r.y + 2, r.w - left,
					     r.h - 2 }, o, s->quiet);
}

static bool available(const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	bool stores = false;

	if (!sc || !sc->product || sc->a < 0 || sc->b < 0 || sc->c < 0)
		return false;
	for (size_t i = 0; i < sc->info->site_count; i++) {
		enum op op = sc->info->sites[i].op;

		stores |= sc->info->sites[i].array == sc->arrays[sc->c].id &&
			  (op == OP_ST || op == OP_TMA_ST);
	}
	return stores && sc->info->grid.x * sc->info->grid.y > 1;
}

static bool offered(const struct frame_model *s)
{
	return order_has_waves(s->scene);
}

/* Tells what the wave reads, and that it is computed. */
static void order_words(struct str *out, const struct frame_model *s)
{
	const struct order *o = s->scene->order;
	char bytes[24], rows[24];

	if (!o)
		return;
	kit_bytes(bytes, sizeof(bytes), o->strips.bytes);
	kit_bytes(rows, sizeof(rows), o->by_rows->strips.bytes);
	if (o->larger && o->strips.bytes < o->by_rows->strips.bytes)
		str_addf(out, _("In groups of %u a wave needs %s from DRAM "
				"instead of %s; both ask L2 for the same. "),
			 o->group, bytes, rows);
	str_addf(out, _("Wave %u of %u reads %u strips of A and %u of B: %s "
			"(computed)."), o->wave + 1, o->waves, o->strips.a,
		 o->strips.b, bytes);
}

static void turn_wave(struct turns *t, const struct scene *sc, int by)
{
	(void)sc;
	t->wave += by;
}

static bool has_group(const struct scene *sc)
{
	return sc->order && sc->order->larger;
}

static void turn_group(struct turns *t, const struct scene *sc, int by)
{
	const struct order *o = sc->order;

	if (!has_group(sc) || (by > 0 && o->group >= o->rows / o->high) ||
	    (by < 0 && o->group <= 1))
		return;
	t->group += by;
}

static const struct view_key keys[] = {
	{ .keys = { '>' }, .key = "< >", .word = N_("wave"),
	  .help = N_("order of tiles: the wave after or before"),
	  .turn = turn_wave, .by = 1, .moves = true },
	{ .keys = { '<' }, .turn = turn_wave, .by = -1, .moves = true },
	{ .keys = { '.' }, .key = ", .", .word = N_("group"),
	  .has = has_group,
	  .help = N_("order of tiles: groups twice or half as high"),
	  .turn = turn_group, .by = 1, .moves = true },
	{ .keys = { ',' }, .has = has_group, .turn = turn_group, .by = -1,
	  .moves = true },
};

const struct view view_order = {
	.name = "order",
	.title = N_("order of tiles"),
	.help = N_("C's tiles in the order in which blocks take them"),
	.pane = PANE_PICTURE,
	.wide = true,
	.lines = -1,
	.least = 50,
	.available = available,
	.offered = offered,
	.rank = view_never,
	.prepare = scene_order,
	.draw = draw,
	.words = order_words,
	.keys = keys,
	.key_count = LENGTH(keys),
};
