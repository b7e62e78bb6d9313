#include "export/ansi.h"

#include "base/text.h"

static const struct theme_look plain = { THEME_DEFAULT, THEME_DEFAULT, 0 };

static void add_look(struct str *out, const struct theme_look *l)
{
	str_add(out, "\x1b[0");
	if (l->attr & ATTR_BOLD)
		str_add(out, ";1");
	if (l->attr & ATTR_UNDERLINE)
		str_add(out, ";4");
	if (l->attr & ATTR_REVERSE)
		str_add(out, ";7");
	if (l->fg != THEME_DEFAULT)
		str_addf(out, ";38;5;%d", l->fg);
	if (l->bg != THEME_DEFAULT)
		str_addf(out, ";48;5;%d", l->bg);
	str_addc(out, 'm');
}

static bool is_same_theme_look(const struct theme_look *a,
			       const struct theme_look *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->attr == b->attr;
}

/* Adds the cells of row y from x to before `to`. *now is the look that the
 * terminal has; it is updated. */
static void add_cells(struct str *out, const struct canvas *c, int x, int to,
		      int y, const struct theme *t, struct theme_look *now)
{
	char bytes[4];

	for (; x < to; x++) {
		const struct cell *cell = canvas_at(c, x, y);
		struct theme_look look = theme_look(t, cell, 256);

		if (!cell->ch)
			continue;
		if (!is_same_theme_look(&look, now))
			add_look(out, &look);
		*now = look;
		str_addn(out, bytes, text_encode(cell->ch, bytes));
	}
}

void ansi_row(struct str *out, const struct canvas *c, int y,
	      const struct theme *t)
{
	struct theme_look now = plain;

	add_cells(out, c, 0, c->w, y, t, &now);
	if (!is_same_theme_look(&now, &plain))
		str_add(out, "\x1b[0m");
}

static bool cell_differs(const struct canvas *c, const struct canvas *old,
			 int x, int y)
{
	return !old || !paint_same(canvas_at(c, x, y), canvas_at(old, x, y));
}

/* Returns the end of the run of cells from x on that differ, or x if there is
 * none. Both halves of a wide character are sent. */
static int end_of_change(const struct canvas *c, const struct canvas *old,
			 int x, int y)
{
	int to = x;

	while (to < c->w && (cell_differs(c, old, to, y) ||
			     (to > x && !canvas_at(c, to, y)->ch)))
		to++;
	return to;
}

void ansi_change(struct str *out, const struct canvas *c,
		 const struct canvas *old, const struct theme *t)
{
	struct theme_look now = plain;

	for (int y = 0; y < c->h; y++) {
		for (int x = 0; x < c->w; x++) {
			int from = x && !canvas_at(c, x, y)->ch ? x - 1 : x;
			int to = end_of_change(c, old, x, y);

			if (to == x)
				continue;
			str_addf(out, "\x1b[%d;%dH", y + 1, from + 1);
			add_cells(out, c, from, to, y, t, &now);
			x = to;
		}
	}
	if (!is_same_theme_look(&now, &plain))
		str_add(out, "\x1b[0m");
}
