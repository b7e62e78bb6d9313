/* The focused thread's register arrays, with what they hold. */
#include <stdio.h>

#include "viz/show.h"

/* The first element the lane touches now, or -1. */
static int64_t touched(const struct scene *sc, const struct stage_array *a)
{
	if (!sc->array || sc->array != a->array || !sc->lane_active)
		return -1;
	return (int64_t)(sc->request.offset[sc->cursor.lane] /
			 a->array->elem_bytes * a->packed);
}

static void draw_value(struct canvas *c, struct rect r, const struct scene *sc,
		       const struct stage_array *a, uint32_t e)
{
	char text[32] = "\xc2\xb7";
	int64_t first = touched(sc, a);
	int room = r.w > 3 ? r.w - 2 : r.w - 1;
	bool now = first >= 0 && e - (uint64_t)first < a->packed;
	struct ink ink = now ? (struct ink){ ROLE_ON_HUE,
					     ROLE_HUE(sc->cursor.lane),
					     ATTR_BOLD } :
		      INK_ON(ROLE_TEXT, ROLE_FIELD);

	if (!a->value[e].known && !now)
		ink.fg = ROLE_FAINT;
	if (a->value[e].known)
		number_fit(text, sizeof(text), a->value[e].v, room);
	canvas_fill(c, (struct rect){ r.x, r.y, r.w - 1,
				      r.h - (r.h > 2) }, ' ', ink);
	canvas_right(c, r.x, r.y + (r.h - 1 - (r.h > 2)) / 2, room, text, ink);
}

/* Elements are in rows of `across`, and a cell is w x h. As many rows as fit; the
 * one that is touched is among them. */
struct grid { uint32_t across; int w, h; };

static void draw_array(struct canvas *c, struct rect r,
		       const struct scene *sc, const struct stage_array *a,
		       const struct grid *g)
{
	int64_t now = touched(sc, a) / (int64_t)g->across;
	int rows = r.h / g->h, skip = now >= rows ? (int)now - rows + 1 : 0;

	for (uint32_t e = 0; e < a->rows * a->cols; e++) {
		int col = (int)(e % g->across);
		int row = (int)(e / g->across) - skip;

		if (row >= 0 && row < rows)
			draw_value(c, (struct rect){ r.x + col * g->w,
						     r.y + row * g->h, g->w,
						     g->h }, sc, a, e);
	}
}

static bool is_register(const struct stage_array *a)
{
	return a->array->space == SPACE_REGISTER && a->value;
}

static struct ink name_ink(const struct stage_array *a)
{
	return a->now ? INK_BOLD(ROLE_ACCENT) : INK(ROLE_DIM);
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
					    const struct stage_array *last)
{
	const struct stage_array *best = NULL;

	for (size_t i = 0; i < sc->array_count; i++) {
		const struct stage_array *a = &sc->arrays[i];

		if (!is_register(a) || !has_content(a) ||
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

/* Rows of elements and of names that there are to show, at this width. */
static int count_rows(const struct scene *sc, int width, int *names)
{
	const struct stage_array *a = NULL;
	int rows = 0;

	*names = 0;
	while ((a = next_array(sc, a)) != NULL) {
		rows += (int)(a->rows * a->cols / folded(a, width));
		++*names;
	}
	return rows;
}

/* All arrays, with cells as large as the room allows. */
static void draw_all(struct canvas *c, struct rect r, const struct scene *sc)
{
	const struct stage_array *a = NULL;
	int names, rows = count_rows(sc, r.w, &names), y = 0;
	int h = rows ? (r.h - names) / rows : 1;

	h = h < 1 ? 1 : MIN(h, 4);
	while ((a = next_array(sc, a)) != NULL) {
		struct grid g = { folded(a, r.w), 0, h };
		int fit = MIN((int)(a->rows * a->cols / g.across),
			      (r.h - y - 1) / h);

		if (fit < 1) {
			canvas_textf(c, r.x, r.y + r.h - 1, r.w,
				     INK(ROLE_WARN), _("… %s does not fit"),
				     a->array->name);
			return;
		}
		g.w = MIN(16, MAX(2, r.w / (int)g.across));
		canvas_text(c, r.x, r.y + y, r.w, a->array->name,
			    name_ink(a));
		draw_array(c, (struct rect){ r.x, r.y + y + 1, r.w, fit * h },
			   sc, a, &g);
		y += fit * h + 1;
	}
}

static void draw(struct canvas *c, struct rect r, const struct show *s)
{
	const struct scene *sc = s->scene;
	int names;

	if (!count_rows(sc, r.w, &names))
		prose_text(c, r, 0, _("Nothing is in the register arrays "
				      "yet."), INK(ROLE_DIM));
	else
		draw_all(c, r, sc);
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
