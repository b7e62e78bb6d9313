/*
 * The focused thread's register arrays. A column, a row and the square that
 * their outer product grows in stand as on paper.
 */
#include <stdio.h>

#include "viz/show.h"

struct outer { const struct stage_array *column, *row, *square; };

/* The first element the lane touches now, or -1. */
static int64_t touched(const struct scene *sc, const struct stage_array *a)
{
	if (!sc->array || sc->array != a->array || !sc->lane_active)
		return -1;
	return (int64_t)(sc->request.offset[sc->cursor.lane] /
			 a->array->elem_bytes * a->packed);
}

static void draw_value(struct canvas *c, int x, int y, int width,
		       const struct scene *sc, const struct stage_array *a,
		       uint32_t e)
{
	char text[32] = "\xc2\xb7";
	int64_t first = touched(sc, a);
	int room = width > 3 ? width - 2 : width - 1;
	bool now = first >= 0 && e - (uint64_t)first < a->packed;
	struct ink ink = now ? (struct ink){ ROLE_ON_HUE,
					     ROLE_HUE(sc->cursor.lane),
					     ATTR_BOLD } :
		      INK_ON(ROLE_TEXT, ROLE_FIELD);

	if (!a->value[e].known && !now)
		ink.fg = ROLE_FAINT;
	if (a->value[e].known)
		number_fit(text, sizeof(text), a->value[e].v, room);
	canvas_fill(c, (struct rect){ x, y, width - 1, 1 }, ' ', ink);
	canvas_right(c, x, y, room, text, ink);
}

/* `across` elements in a row, and as many rows as fit; the one that is touched
 * is among them. */
static void draw_array(struct canvas *c, struct rect r,
		       const struct scene *sc, const struct stage_array *a,
		       int width, uint32_t across)
{
	int64_t now = touched(sc, a) / (int64_t)across;
	int skip = now >= r.h ? (int)now - r.h + 1 : 0;

	for (uint32_t e = 0; e < a->rows * a->cols; e++) {
		int col = (int)(e % across);
		int row = (int)(e / across) - skip;

		if (row < 0 || row >= r.h || (col + 1) * width > r.w + 1)
			continue;
		draw_value(c, r.x + col * width, r.y + row, width, sc, a, e);
	}
}

static bool is_register(const struct stage_array *a)
{
	return a->array->space == SPACE_REGISTER && a->value;
}

static bool is_outer(const struct stage_array *a)
{
	return is_register(a) && a->packed == 1;
}

/* A [p] column, a [q] row and a [p][q] square: the last such triple. */
static bool find_outer(const struct scene *sc, struct outer *o)
{
	*o = (struct outer){0};
	for (size_t i = 0; i < sc->array_count; i++) {
		const struct stage_array *a = &sc->arrays[i];

		if (is_outer(a) && a->array->rank == 2 && a->rows > 1)
			o->square = a;
	}
	for (size_t i = 0; o->square && i < sc->array_count; i++) {
		const struct stage_array *a = &sc->arrays[i];

		if (!is_outer(a) || a->array->rank != 1 ||
		    a->array->elem_bytes != o->square->array->elem_bytes)
			continue;
		if (!o->column && a->cols == o->square->rows)
			o->column = a;
		else if (!o->row && a->cols == o->square->cols)
			o->row = a;
	}
	if (o->square && o->column && o->row)
		return true;
	*o = (struct outer){0};
	return false;
}

static struct ink name_ink(const struct stage_array *a)
{
	return a->now ? INK_BOLD(ROLE_ACCENT) : INK(ROLE_DIM);
}

/*      regB  b b b b
 *  regA      ------- accum
 *    a       x x x x            Returns the rows used. */
static int draw_outer(struct canvas *c, struct rect r,
		      const struct scene *sc, const struct outer *o)
{
	int width = (r.w - 1) / (int)(o->square->cols + 1);
	int x, y = r.y;

	width = width > 8 ? 8 : width;
	x = r.x + width + 1;
	canvas_text(c, x, y, r.x + r.w - x, o->row->array->name,
		    name_ink(o->row));
	draw_array(c, (struct rect){ x, y + 1, r.w, 1 }, sc, o->row, width,
		   o->row->cols);
	canvas_text(c, r.x, y + 2, width, o->column->array->name,
		    name_ink(o->column));
	canvas_text(c, x, y + 2, r.x + r.w - x, o->square->array->name,
		    name_ink(o->square));
	y += 3;
	draw_array(c, (struct rect){ r.x, y, width, r.y + r.h - y }, sc,
		   o->column, width, 1);
	draw_array(c, (struct rect){ x, y, r.x + r.w - x, r.y + r.h - y }, sc,
		   o->square, width, o->square->cols);
	return 3 + (int)o->square->rows;
}

/* Something to show: a value, or the access of this step. */
static bool has_content(const struct stage_array *a)
{
	bool any = a->now;

	for (uint32_t e = 0; e < a->rows * a->cols; e++)
		any |= a->value[e].known;
	return any;
}

/* The array with the fewest rows after `last`, or NULL: small ones first, so
 * that it is sums that are cut. */
static const struct stage_array *next_array(const struct scene *sc,
					    const struct outer *o,
					    const struct stage_array *last)
{
	const struct stage_array *best = NULL;

	for (size_t i = 0; i < sc->array_count; i++) {
		const struct stage_array *a = &sc->arrays[i];

		if (!is_register(a) || a == o->column || a == o->row ||
		    a == o->square || !has_content(a) ||
		    (last && (a->rows < last->rows ||
			      (a->rows == last->rows && a <= last))))
			continue;
		if (!best || a->rows < best->rows)
			best = a;
	}
	return best;
}

/* Elements in a row of so many columns, with room for two digits. */
static uint32_t folded(const struct stage_array *a, int width)
{
	uint32_t across = a->cols;

	while (across % 2 == 0 && across * 3 > (uint32_t)width)
		across /= 2;
	return across;
}

static int draw_rest(struct canvas *c, struct rect r, const struct scene *sc,
		     const struct outer *o)
{
	const struct stage_array *a = NULL;
	int y = 0;

	while ((a = next_array(sc, o, a)) != NULL) {
		uint32_t across = folded(a, r.w);
		int rows = MIN((int)(a->rows * a->cols / across),
			       r.h - y - 1);

		if (rows < 1) {
			canvas_textf(c, r.x, r.y + r.h - 1, r.w,
				     INK(ROLE_WARN), _("… %s does not fit"),
				     a->array->name);
			return r.h;
		}
		canvas_text(c, r.x, r.y + y, r.w, a->array->name,
			    name_ink(a));
		draw_array(c, (struct rect){ r.x, r.y + y + 1, r.w, rows },
			   sc, a, MIN(8, MAX(2, r.w / (int)across)), across);
		y += rows + 1;
	}
	return y;
}

static void draw(struct canvas *c, struct rect r, const struct show *s)
{
	const struct scene *sc = s->scene;
	struct outer o;
	char note[64] = "";
	int y = 0;
	bool any = false;

	if (sc && sc->site)
		snprintf(note, sizeof(note), _("thread (%u,%u)"),
			 sc->thread.x, sc->thread.y);
	r = canvas_frame(c, r, _("registers"), note, false);
	r.x++;
	r.w -= 2;
	for (size_t i = 0; sc && i < sc->array_count; i++)
		any |= is_register(&sc->arrays[i]);
	if (!any) {
		prose_text(c, r, 0, _("This kernel keeps no arrays in "
				      "registers."), INK(ROLE_DIM));
		return;
	}
	if (find_outer(sc, &o))
		y = draw_outer(c, r, sc, &o);
	if (y < r.h && r.w >= 16)
		y += draw_rest(c, (struct rect){ r.x, r.y + y, r.w, r.h - y },
			       sc, &o);
	if (!y)
		y = prose_text(c, r, 0, _("Nothing is in the register arrays "
					  "yet."), INK(ROLE_DIM));
	if (sc->sentence && sc->array && sc->array->space == SPACE_REGISTER &&
	    y + 1 < r.h)
		prose_text(c, (struct rect){ r.x, r.y + y + 1, r.w,
					     r.h - y - 1 }, 0,
			   sc->sentence, INK(ROLE_TEXT));
}

static bool available(const struct show *s)
{
	return s->scene && scene_has(s->scene, SPACE_REGISTER);
}

static enum view_rank rank(const struct scene *sc)
{
	return sc->array && sc->array->space == SPACE_REGISTER ? RANK_STEP :
								 RANK_NONE;
}

const struct view view_registers = {
	.name = "registers",
	.title = N_("registers"),
	.help = N_("what the focused thread's registers hold"),
	.pane = PANE_PICTURE,
	.available = available,
	.rank = rank,
	.draw = draw,
};
