#include "viz/pen.h"

#include <stdlib.h>

#include "base/text.h"

#define GAP 4		/* unchanged cells that are sooner drawn than skipped */
#define ERASE_FEWEST 12	/* blanks that are longer than what erases them */
#define ERASE_END_FEWEST 4

static const struct theme_look plain_look = { THEME_DEFAULT, THEME_DEFAULT, 0 };

void pen_done(struct pen *p)
{
	struct pen_terminal *t = &p->terminal;
	char *const words[] = {
		t->clear, t->plain, t->bold, t->underline, t->reverse,
		t->own_colours, t->erase_end, t->move, t->foreground,
		t->background, t->erase,
	};

	for (size_t i = 0; i < LENGTH(words); i++)
		free(words[i]);
	for (size_t i = 0; i < LENGTH(p->known[0]); i++) {
		free(p->known[0][i]);
		free(p->known[1][i]);
	}
	canvas_done(&p->shown);
	str_done(&p->out);
}

static void send_sequence(struct pen *p, const char *sequence)
{
	if (sequence)
		str_add(&p->out, sequence);
}

/* ---- looks ---- */

static void be_plain(struct pen *p)
{
	send_sequence(p, p->terminal.plain);
	p->look = plain_look;
}

static void set_colour(struct pen *p, bool back, int16_t colour)
{
	char **known = &p->known[back][colour & 255];

	if (!*known)
		*known = xstrdup(p->terminal.fill_in(
			back ? p->terminal.background : p->terminal.foreground,
			p->colours > 256 ? (int)theme_rgb(colour) : colour, 0));
	str_add(&p->out, *known);
}

static void set_look(struct pen *p, struct theme_look want)
{
	const struct pen_terminal *t = &p->terminal;
	uint8_t more;

	if (p->look.attr & ~want.attr)
		be_plain(p);
	more = (uint8_t)(want.attr & ~p->look.attr);
	send_sequence(p, more & ATTR_BOLD ? t->bold : NULL);
	send_sequence(p, more & ATTR_UNDERLINE ? t->underline : NULL);
	send_sequence(p, more & ATTR_REVERSE ? t->reverse : NULL);
	if ((want.fg == THEME_DEFAULT && p->look.fg != THEME_DEFAULT) ||
	    (want.bg == THEME_DEFAULT && p->look.bg != THEME_DEFAULT)) {
		send_sequence(p, t->own_colours);
		p->look.fg = p->look.bg = THEME_DEFAULT;
	}
	if (want.fg != p->look.fg)
		set_colour(p, false, want.fg);
	if (want.bg != p->look.bg)
		set_colour(p, true, want.bg);
	p->look = want;
}

static bool is_blank_look(const struct cell *cell,
			  const struct theme_look *look)
{
	return cell->ch == ' ' &&
	       !(look->attr & (ATTR_UNDERLINE | ATTR_REVERSE));
}

/* Returns the look that the cell must get. A blank takes over the current text
 * attributes and colour, so that they need not change. */
static struct theme_look next_look(const struct pen *p,
				   const struct theme *theme,
				   const struct cell *cell)
{
	struct theme_look look = theme_look(theme, cell, p->colours);

	if (p->colours)
		look.attr &= (uint8_t)~p->terminal.no_colour;
	if (!p->terminal.plain)
		look.attr = 0;
	if (is_blank_look(cell, &look) && is_blank_look(cell, &p->look)) {
		look.attr = p->look.attr;
		if (look.fg != THEME_DEFAULT && p->look.fg != THEME_DEFAULT)
			look.fg = p->look.fg;
	}
	return look;
}

static bool has_same_look(struct theme_look a, struct theme_look b)
{
	return a.fg == b.fg && a.bg == b.bg && a.attr == b.attr;
}

/* ---- cells ---- */

static bool same_cell(const struct cell *a, const struct cell *b)
{
	return a->ch == b->ch && a->fg == b->fg && a->bg == b->bg &&
	       a->attr == b->attr;
}

/* Sends the character alone, in the current look. */
static void send_char(struct pen *p, uint32_t ch)
{
	char bytes[4];

	if (ch < 0x80) {
		str_addc(&p->out, (char)ch);
		p->x++;
	} else {
		str_addn(&p->out, bytes, text_encode(ch, bytes));
		p->x += text_char_width(ch);
	}
}

/* Draws the unchanged cells before x if that takes no more bytes than a move
 * there. */
static bool draw_gap(struct pen *p, const struct theme *theme,
		     const struct cell *row, int x)
{
	if (p->x < 0 || x < p->x || x - p->x > GAP)
		return false;
	for (int i = p->x; i < x; i++)
		if (!has_same_look(next_look(p, theme, &row[i]), p->look))
			return false;
	for (int i = p->x; i < x; i++)
		if (row[i].ch)
			send_char(p, row[i].ch);
	return true;
}

/* Moves the cursor to x in row y. */
static void move_to(struct pen *p, const struct theme *theme,
		    const struct cell *row, int x, int y)
{
	if (p->y == y && draw_gap(p, theme, row, x))
		return;
	if (p->terminal.moves_plain && !has_same_look(p->look, plain_look))
		be_plain(p);
	send_sequence(p, p->terminal.fill_in(p->terminal.move, y, x));
	p->x = x;
	p->y = y;
}

/* Returns how many cells from x on are the same blank, up to the last that has
 * changed. */
static int count_blanks(const struct pen *p, const struct cell *row,
			const struct cell *shown, int x)
{
	int n = 1;

	for (int i = x + 1; i < p->shown.w && i <= x + n + GAP &&
	     same_cell(&row[i], &row[x]); i++)
		if (!p->drawn || !same_cell(&row[i], &shown[i]))
			n = i - x + 1;
	return n;
}

/* Tries to erase n blanks from x on: returns false if the terminal cannot, or
 * drawing them takes fewer bytes. */
static bool erase_blanks(struct pen *p, struct theme_look look, int x, int n)
{
	const struct pen_terminal *t = &p->terminal;
	bool end = x + n == p->shown.w && t->erase_end;

	if ((look.bg != THEME_DEFAULT && !t->erases_in_colour) ||
	    n < (end ? ERASE_END_FEWEST : ERASE_FEWEST) ||
	    (!end && !t->erase))
		return false;
	set_look(p, look);
	send_sequence(p, end ? t->erase_end : t->fill_in(t->erase, n, 0));
	return true;
}

/* Draws the cell at x, and possibly blanks after it. Returns the number of
 * cells done. */
static int send_cell(struct pen *p, const struct theme *theme,
		     const struct cell *row, const struct cell *shown, int x,
		     int y)
{
	const struct cell *cell = &row[x];
	struct theme_look look;
	int n;

	move_to(p, theme, row, x, y);
	look = next_look(p, theme, cell);
	if (is_blank_look(cell, &look)) {
		n = count_blanks(p, row, shown, x);
		if (erase_blanks(p, look, x, n))
			return n;
	}
	if (p->terminal.scrolls && y == p->shown.h - 1 &&
	    x + text_char_width(cell->ch) >= p->shown.w)
		return 1;
	set_look(p, look);
	send_char(p, cell->ch);
	return 1;
}

static void send_row(struct pen *p, const struct canvas *c,
		     const struct theme *theme, int y)
{
	size_t start = (size_t)y * (size_t)c->w;
	struct cell *shown = p->shown.cells + start;
	const struct cell *row = c->cells + start;

	for (int x = 0; x < c->w; ) {
		int n = 1;

		if (row[x].ch && (!p->drawn || !same_cell(&row[x], &shown[x])))
			n = send_cell(p, theme, row, shown, x, y);
		for (; n > 0; n--, x++)
			shown[x] = row[x];
	}
}

void pen_draw(struct pen *p, const struct canvas *c, const struct theme *theme)
{
	if (p->shown.w != c->w || p->shown.h != c->h) {
		canvas_resize(&p->shown, c->w, c->h);
		p->drawn = false;
	}
	p->x = p->y = -1;
	if (!p->drawn) {
		be_plain(p);
		send_sequence(p, p->terminal.clear);
	}
	for (int y = 0; y < c->h; y++)
		send_row(p, c, theme, y);
	if (!has_same_look(p->look, plain_look))
		be_plain(p);
	p->drawn = true;
}
