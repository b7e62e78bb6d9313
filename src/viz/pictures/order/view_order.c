/* view_order: C's tiles in the order in which blocks take them, as waves. */
#include <stdio.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/legend.h"
#include "viz/frame_model.h"

/* Where C's tiles stand; A's strips are left of them, B's above. */
struct order_board {
	const struct order *o;
	struct kit_size cell;
	struct rect c;
};

#define STRIP 3		/* columns of A's strips, and a row of B's */

/* Returns the look of a wave other than the current one; adjacent waves differ.
 * Without colour they are signs of the ground, among which this wave and the
 * others' numbers stand out. */
static struct ink other_wave(const struct canvas *c, uint32_t wave)
{
	bool odd = wave % 2;

	return INK_ON(ROLE_TEXT, c->mono ? odd ? ROLE_TILE : ROLE_FIELD :
				 odd ? ROLE_FADE1 : ROLE_FADE3);
}

static struct ink tile_ink(const struct canvas *c, const struct order_board *b,
			   const struct frame_model *s, uint32_t i)
{
	const struct order *o = b->o;
	double part = s->quiet ? 0 : s->t;

	if (i == ORDER_NONE)
		return INK_ON(ROLE_FAINT, ROLE_NONE);
	if (i == o->now)
		return (struct ink){ ROLE_ON_HUE, ROLE_CURSOR, ATTR_BOLD };
	if (i >= o->first && i < o->end)
		return i - o->first < part * (o->end - o->first) ?
		       (struct ink){ ROLE_ON_HUE, ROLE_HUE0, ATTR_BOLD } :
		       INK_ON(ROLE_ON_HUE, ROLE_TRAIL0);
	if (o->larger)
		return other_wave(c, o->tiles[i].wave);
	return i < o->first ? INK_ON(ROLE_TEXT, ROLE_TILE) :
			      INK_ON(ROLE_FAINT, ROLE_FIELD);
}

static void draw_tiles(struct canvas *c, const struct order_board *b,
		       const struct frame_model *s)
{
	const struct order *o = b->o;

	for (uint32_t row = 0; row < o->rows; row++)
		for (uint32_t col = 0; col < o->cols; col++) {
			uint32_t i = order_at(o, row, col);
			char text[12];

			snprintf(text, sizeof(text), "%u", i);
			kit_element(c, b->c.x, b->c.y, b->cell, row, col,
				    i == ORDER_NONE || b->cell.half ||
						    o->larger ?
					    NULL :
					    text,
				    tile_ink(c, b, s, i));
		}
}

/* Writes the number of each wave inside its first column. */
static void number_waves(struct canvas *c, const struct order_board *b,
			 const struct frame_model *s)
{
	const struct order *o = b->o;

	for (uint32_t i = 1; i < o->count; i++) {
		const struct order_tile *t = &o->tiles[i];
		int y = b->cell.half ? ((int)t->row + 1) / 2 :
				       (int)t->row * b->cell.h;
		struct ink ink = tile_ink(c, b, s, i);

		if (o->tiles[i - 1].wave == t->wave && i > 1)
			continue;
		ink.attr = ATTR_BOLD;
		canvas_textf(c, b->c.x + ((int)t->col + 2) * b->cell.w,
			     b->c.y + y + 1, 3, ink, "%u", t->wave + 1);
	}
}

/* Draws the strips of A and of B, those that the wave's tiles read in
 * colour. */
static void draw_strips(struct canvas *c, const struct order_board *b)
{
	const struct order *o = b->o;
	int x = b->c.x - STRIP - 1, h = MAX(b->cell.h, 1);

	canvas_put(c, x, b->c.y - 1, 'A', INK_BOLD(ROLE_STRONG));
	canvas_put(c, b->c.x - 1, b->c.y - 1, 'B', INK_BOLD(ROLE_STRONG));
	for (uint32_t i = 0; i < o->rows; i++) {
		enum role role = order_reads(o, i, true) ? ROLE_HUE1 :
							   ROLE_FIELD;

		for (int k = 0; k < STRIP && b->cell.half; k++)
			canvas_pixel(c, x + k, 2 * b->c.y + (int)i, role);
		if (!b->cell.half)
			canvas_fill(c, (struct rect){
				x, b->c.y + (int)i * h, STRIP, h }, ' ',
				INK_ON(ROLE_ON_HUE, role));
	}
	for (uint32_t i = 0; i < o->cols; i++)
		canvas_fill(c, (struct rect){
			b->c.x + (int)i * b->cell.w, b->c.y - 1, b->cell.w,
			1 }, ' ',
			INK_ON(ROLE_ON_HUE, order_reads(o, i, false) ?
			       ROLE_HUE2 : ROLE_FIELD));
}

/* Returns the largest cell at which all waves fit, each in as many lines as its
 * places need, with a gap between waves of several lines. */
static struct kit_size wave_cell(struct rect r, const struct order *o)
{
	static const struct kit_size sizes[] = {
		{ 9, 4, false }, { 7, 3, false }, { 5, 2, false },
		{ 4, 2, false }, { 5, 1, false }, { 4, 1, false },
		{ 3, 1, false }, { 2, 1, false }, { 1, 1, false },
	};
	struct kit_size k = sizes[LENGTH(sizes) - 1];

	for (size_t i = 0; i < LENGTH(sizes); i++) {
		int across = MAX(r.w / sizes[i].w, 1);
		int lines = ((int)o->at_once + across - 1) / across;

		if (((int)o->waves * (lines * sizes[i].h + (lines > 1))) <=
		    r.h)
			return sizes[i];
	}
	return k;
}

static void draw_wave_cell(struct canvas *c, struct rect r,
			   const struct order *o, uint32_t i, bool used)
{
	char text[12];

	snprintf(text, sizeof(text), "%u", i);
	r.w -= r.w > 2;
	r.h -= r.h > 1;
	kit_box(c, r, !used ? "\xc2\xb7" :
		text_width(text) <= r.w && r.w > 2 ? text : NULL,
		!used ? INK_ON(ROLE_STRONG, ROLE_WASTE) :
		i == o->now ? INK_ON(ROLE_ON_HUE, ROLE_CURSOR) :
		i >= o->first && i < o->end ? INK_ON(ROLE_ON_HUE, ROLE_HUE0) :
					      INK_ON(ROLE_TEXT, ROLE_TILE));
}

/* Draws for each wave a cell for each SM or block: its tile, or that it is
 * idle. Returns the rows used. */
static int draw_waves(struct canvas *c, struct rect r, const struct order *o)
{
	struct kit_size k = wave_cell(r, o);
	int across = MAX(r.w / k.w, 1), y = r.y;
	int lines = ((int)o->at_once + across - 1) / across;

	for (uint32_t wave = 0; wave < o->waves &&
	     y + lines * k.h <= r.y + r.h; wave++) {
		for (uint32_t at = 0, i = 0; at < o->at_once; at++) {
			bool used;

			while (i < o->count && o->tiles[i].wave < wave)
				i++;
			used = i < o->count && o->tiles[i].wave == wave;
			draw_wave_cell(
				c,
				(struct rect){ r.x + (int)at % across * k.w,
					       y + (int)at / across * k.h, k.w,
					       k.h },
				o, i, used);
			i += used;
		}
		y += lines * k.h + (lines > 1);
	}
	return y - r.y;
}

/* Draws a legend of the tiles, the strips and the idle SMs. Returns its
 * rows. */
static int draw_order_legend(struct canvas *c, struct rect r)
{
	const struct legend_entry e[] = {
		{ { ROLE_CURSOR }, _("this block's") },
		{ { ROLE_HUE0, ROLE_TRAIL0 }, _("this wave's") },
		{ { ROLE_TILE }, _("earlier") },
		{ { ROLE_FADE1, ROLE_FADE3 }, _("other waves, numbered") },
		{ { ROLE_WASTE }, _("idle") },
		{ { ROLE_HUE1 }, _("strips of A") },
		{ { ROLE_HUE2 }, _("of B") },
	};

	return legend_rows(c, r, c->clip, e, LENGTH(e));
}

/* Writes which problem is drawn instead of the recorded one, and what its
 * colours mean. */
static void draw_larger_words(struct canvas *c, struct rect r,
			      const struct order *o)
{
	char words[400];
	int y = r.y;

	y += draw_order_legend(c, (struct rect){ r.x, y, r.w, 3 }) + 1;
	snprintf(words, sizeof(words),
		 _("The recorded C has too few tiles to have an order. Drawn "
		   "in its place: a C of %u \xc3\x97 %u, by the kernel's formula, %u blocks at "
		   "once, one on each SM. Tiles are numbered down a group of "
		   "rows, then the next column, so that a wave is a square "
		   "rather than a line: it needs fewer strips of A and B."),
		 o->m, o->n, o->at_once);
	prose_fit(c, (struct rect){ r.x, y, r.w, r.y + r.h - y }, words,
		  INK(ROLE_TEXT));
}

/* Returns what the waves take for granted. */
static const char *assumed_words(const struct order *o)
{
	return o->persistent ? _("assumed: all blocks in step") :
			       _("assumed: one tile on each SM, in step");
}

/* Writes which wave it is and, in a single row, what is assumed. */
static void draw_wave_headline(struct canvas *c, struct rect r,
			      const struct frame_model *s)
{
	const struct order *o = s->scene->order;
	uint32_t wave = o->now == ORDER_NONE ? 0 : o->tiles[o->now].wave;
	char words[64];
	int used;

	used = canvas_textf(c, r.x, r.y, r.w, INK_BOLD(ROLE_STRONG),
			    _("wave %u of %u: %u tiles at once"), wave + 1,
			    o->waves, o->end - o->first);
	if (!s->quiet && o->strips.a * o->strips.b == o->end - o->first)
		canvas_textf(c, r.x + used, r.y, r.w - used,
			     INK_BOLD(ROLE_STRONG), ", %u × %u", o->strips.a,
			     o->strips.b);
	if (r.h < 2 && o->larger) {
		snprintf(words, sizeof(words), _("drawn for a C of %u "
			 "\xc3\x97 %u"), o->m, o->n);
		canvas_right(c, r.x, r.y, r.w, words, INK(ROLE_WARN));
	} else if (r.h < 2) {
		canvas_right(c, r.x, r.y, r.w, assumed_words(o),
			     INK(ROLE_DIM));
	}
}

static void draw_wave_numbers(struct canvas *c, struct rect r,
			      const struct frame_model *s)
{
	const struct order *o = s->scene->order;
	uint32_t idle = o->at_once * o->waves - o->count;
	int y = r.y + 1, used;

	draw_wave_headline(c, r, s);
	if (s->quiet || r.h < 2)
		return;
	/* The caveat stands with its numbers, before all else. */
	if (!o->larger)
		canvas_text(c, r.x, y++, r.w, assumed_words(o), INK(ROLE_DIM));
	canvas_textf(c, r.x, y++, r.w, INK(ROLE_TEXT),
		     _("strips: %u of A, %u of B: %.3g MB"), o->strips.a,
		     o->strips.b, o->strips.bytes / 1e6);
	canvas_textf(c, r.x, y++, r.w, INK(ROLE_DIM),
		     _("row by row: %u of A, %u of B: %.3g MB"),
		     o->by_rows.a, o->by_rows.b, o->by_rows.bytes / 1e6);
	if (idle)
		canvas_textf(c, r.x, y, r.w, INK_BOLD(ROLE_BAD),
			     o->persistent ?
			     _("last wave: %u of %u blocks idle") :
			     _("last wave: %u of %u SMs idle"),
			     idle, o->at_once);
	y += 2;
	if (o->larger) {
		draw_larger_words(
			c, (struct rect){ r.x, y, r.w, r.y + r.h - y }, o);
		return;
	}
	used = draw_waves(c, (struct rect){ r.x, y + 1, r.w,
					    r.y + r.h - y - 5 }, o);
	if (used)
		canvas_text(c, r.x, y, r.w, o->persistent ?
			    _("the blocks, and the tile of each") :
			    _("the SMs, and the tile of each"), INK(ROLE_DIM));
	y += used ? used + 1 : 0;
	y += draw_order_legend(c, (struct rect){ r.x, y, r.w, 3 });
	prose_fit(c, (struct rect){ r.x, y, r.w, r.y + r.h - y },
		  o->persistent ?
		  _("The grid stays; each block takes a tile after the "
		    "other.") :
		  _("Blocks start in the order of their number, on the SMs of "
		    "the GPU that was measured."),
		  INK(ROLE_DIM));
}

/* Returns the size of a tile's cell. Few tiles grow with the picture, up to
 * three columns for each row. */
static struct kit_size tile_cell_size(int w, int h, const struct order *o)
{
	struct kit_size cell = kit_fit(w, h, o->rows, o->cols);

	if (cell.h < 4)
		return cell;
	cell.h = h / (int)o->rows;
	cell.w = MIN(w / (int)o->cols, 3 * cell.h);
	cell.h = MIN(cell.h, MAX(cell.w / 2, 4));
	return cell;
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	struct order_board b = { 0 };
	struct rect clip = canvas_clip(c, r);
	int side = r.w >= 100 ? 46 : 38, end = r.x + r.w;
	bool below = false;

	b.o = s->scene ? s->scene->order : NULL;
	if (!b.o) {
		prose_text(c, r, 0, _("This trace stores nothing to C."),
			   INK(ROLE_DIM));
		canvas_clip(c, clip);
		return;
	}
	b.cell = tile_cell_size(r.w - side - STRIP - 3, r.h - 1, b.o);
	if (!b.cell.w) {	/* below its first number */
		b.cell = tile_cell_size(r.w - STRIP - 1, r.h - 2, b.o);
		below = b.cell.w > 0;
	}
	if (b.cell.w) {
		b.c = (struct rect){ r.x + STRIP + 1, r.y + 1 + below,
				     kit_width(b.cell, b.o->cols),
				     kit_height(b.cell, b.o->rows) };
		draw_strips(c, &b);
		draw_tiles(c, &b, s);
		if (b.o->larger)
			number_waves(c, &b, s);
	}
	if (below)
		r.h = 1;
	else if (b.cell.w)
		r.x = b.c.x + b.c.w + 3;
	draw_wave_numbers(c, (struct rect){ r.x, r.y, MAX(end - r.x, 0), r.h },
			  s);
	canvas_clip(c, clip);
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

static void prepare(struct stage *s, const struct turns *t)
{
	(void)t;
	scene_order(s);
}

/* Tells what the wave reads, and that it is computed. */
static void order_words(struct str *out, const struct frame_model *s)
{
	const struct order *o = s->scene->order;

	if (!o || o->now == ORDER_NONE)
		return;
	str_addf(out, _("Wave %u of %u reads %u strips of A and %u of B: %.3g "
			"MB (computed)."),
		 o->tiles[o->now].wave + 1, o->waves, o->strips.a,
		 o->strips.b, o->strips.bytes / 1e6);
}

const struct view view_order = {
	.name = "order",
	.title = N_("order of tiles"),
	.help = N_("C's tiles in the order in which blocks take them"),
	.pane = PANE_PICTURE,
	.wide = true,
	.available = available,
	.offered = offered,
	.rank = view_never,
	.prepare = prepare,
	.draw = draw,
	.words = order_words,
};
