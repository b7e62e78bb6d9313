/* The kernel's text: the current line is lit; below it stands its index with
 * numbers filled in. */
#include <stdlib.h>
#include <string.h>

#include "viz/frame_model.h"

static int decimal_width(size_t n)
{
	int d = 1;

	while (n /= 10)
		d++;
	return d;
}

static struct ink token_ink(enum token t, bool current)
{
	static const uint8_t role[] = {
		[TOKEN_PLAIN] = ROLE_TEXT, [TOKEN_WORD] = ROLE_CODE_WORD,
		[TOKEN_NUMBER] = ROLE_CODE_NUMBER,
		[TOKEN_COMMENT] = ROLE_CODE_COMMENT,
	};

	return (struct ink){ .fg = role[t],
			     .bg = current ? ROLE_LINE : ROLE_NONE };
}

/* Returns the colour on which the expression is drawn: the focused lane's
 * hue. */
static enum role span_role(const struct scene *sc)
{
	return sc->lane_active ? ROLE_HUE(sc->cursor.lane) : ROLE_SEEN;
}

/* Tells whether character i of a line belongs to the focused lane's
 * expression. */
static bool is_in_span(const struct scene *sc, size_t line, size_t i)
{
	return sc->has_span && sc->span.line == line &&
	       i >= sc->span.start && i < sc->span.start + sc->span.len;
}

/* Returns the end of the run of one colour that begins at character i. */
static size_t run_end(const struct scene *sc, size_t line, size_t i)
{
	const struct source_line *l = &sc->source->lines[line - 1];
	bool span = is_in_span(sc, line, i);
	size_t end = i + 1;

	while (l->text[end] && is_in_span(sc, line, end) == span &&
	       (span || l->token[end] == l->token[i]))
		end++;
	return end;
}

/* Returns where a line is broken after at most w bytes: after a space in the
 * second half, if there is one. */
static size_t break_at(const char *text, size_t from, size_t w)
{
	size_t end = from + w;

	if (strlen(text + from) <= w)
		return from + strlen(text + from);
	for (size_t i = end; i > from + w / 2; i--)
		if (text[i - 1] == ' ')
			return i;
	while ((text[end] & 0xc0) == 0x80)	/* no half of a character */
		end--;
	return end;
}

#define HANG 4	/* columns that the rest of a line stands further in */

static int line_rows(const struct source_line *l, size_t from, int w)
{
	int rows = 1;
	size_t at = break_at(l->text, from, (size_t)MAX(w, HANG + 8));

	for (; l->text[at]; rows++)
		at = break_at(l->text, at, (size_t)MAX(w - HANG, 8));
	return rows;
}

/* Draws the characters from..to of a line in one row. */
static void draw_line_part(struct canvas *c, struct rect r,
			   const struct scene *sc, size_t line, size_t from,
			   size_t to)
{
	const struct source_line *l = &sc->source->lines[line - 1];
	bool current = sc->line == line;
	int x = r.x;

	for (size_t i = from, end; i < to; i = end) {
		struct ink ink = token_ink(l->token[i], current);
		char *part;

		end = MIN(run_end(sc, line, i), to);
		if (is_in_span(sc, line, i))
			ink = (struct ink){ ROLE_ON_HUE, span_role(sc),
					    ATTR_BOLD };
		part = xstrndup(l->text + i, end - i);
		x += canvas_text(c, x, r.y, r.x + r.w - x, part, ink);
		free(part);
	}
}

/* Draws a line, in as many rows as it takes. Returns their number. */
static int draw_source_line(struct canvas *c, struct rect r, int y,
			    const struct frame_model *s, size_t line, size_t from)
{
	const struct scene *sc = s->scene;
	const char *text = sc->source->lines[line - 1].text;
	bool current = sc->line == line;
	int number = decimal_width(sc->source->count), x = r.x + number + 2;
	int w = r.x + r.w - x, hang = 0, rows = 0;
	struct rect old = canvas_clip(c, r);

	canvas_textf(c, r.x, y, number + 1, current ?
		     (struct ink){ ROLE_ACCENT, ROLE_LINE, ATTR_BOLD } :
		     INK(ROLE_FAINT), "%*zu", number, line);
	do {
		size_t to = break_at(text, from, (size_t)MAX(w - hang, 8));

		if (current)
			canvas_fill(c, (struct rect){ x - 1, y + rows, w + 1,
						      1 }, ' ',
				    INK_ON(ROLE_TEXT, ROLE_LINE));
		draw_line_part(c,
			       (struct rect){ x + hang, y + rows, w - hang, 1 },
			       sc, line, from, to);
		from = to;
		hang = HANG;
		rows++;
	} while (text[from]);
	canvas_clip(c, old);
	return rows;
}

/* Adds the index with its numbers: "A[(0*64 + 9)*64 + 16 + 4] = A[596] = row 9,
 * column 20: -3". */
static void add_index_numbers(struct str *line, const struct scene *sc)
{
	char v[32], flat[112];

	snprintf(flat, sizeof(flat), "%s[%llu]", sc->array->name,
		 (unsigned long long)sc->index);
	if (sc->numbers && sc->numbers_agree &&
	    strcmp(sc->numbers, sc->element) && strcmp(sc->numbers, flat))
		str_addf(line, "%s = ", sc->numbers);
	if (sc->flat)
		str_addf(line, _("%s = row %llu, column %llu"), flat,
			 (unsigned long long)sc->row,
			 (unsigned long long)sc->col);
	else
		str_add(line, sc->element);
	if (sc->fragment[0])
		str_addf(line, " = %s", sc->fragment);
	if (!sc->has_value || sc->site->bytes != sc->array->elem_bytes)
		return;
	number_fit(v, sizeof(v), sc->value, 12);
	str_addf(line, ": %s", v);
	if (!sc->has_second)
		return;
	number_fit(v, sizeof(v), sc->second, 12);
	str_addf(line, ", %s", v);
}

/* Draws the numbers below the current line; with canvas NULL only counts their
 * rows. */
static int draw_index_numbers(struct canvas *c, struct rect r, int y,
			      const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	int number = decimal_width(sc->source->count) + 2, rows = 0;
	struct rect in = { r.x + number, y, r.w - number, r.y + r.h - y };
	struct str line = {0};

	/* They would answer many a question. */
	if (!sc->array || s->quiet)
		return 0;
	if (sc->lane_active)
		add_index_numbers(&line, sc);
	else
		str_addf(&line, _("lane %u is inactive"), sc->cursor.lane);
	rows = prose_text(c, in, 0, line.data, INK(sc->lane_active ?
			  ROLE_HUE(sc->cursor.lane) : ROLE_DIM));
	str_done(&line);
	return rows;
}

/* Returns how many columns of spaces all shown lines begin with. */
static size_t indent_of_shown(const struct source *src, size_t from, size_t to)
{
	size_t best = SIZE_MAX;

	for (size_t n = from; n <= to && n <= src->count; n++) {
		const char *t = src->lines[n - 1].text;
		size_t k = strspn(t, " ");

		if (t[k] && k < best)
			best = k;
	}
	return best == SIZE_MAX ? 0 : best;
}

/* Returns the first line shown, so that the current line and its numbers are in
 * view, with as many rows above as below. */
static size_t first_line(struct rect r, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	const struct source *src = sc->source;
	int w = r.w - decimal_width(src->count) - 2;
	size_t line = sc->line ? MIN(sc->line, src->count) : 1;
	int below = line_rows(&src->lines[line - 1], 0, w) +
		    draw_index_numbers(NULL, r, r.y, s);
	int above = MAX(0, MIN(r.h / 2, r.h - below));
	long from;

	for (size_t n = line + 1; n <= src->count && below < r.h; n++)
		below += line_rows(&src->lines[n - 1], 0, w);
	above = MAX(above, r.h - below);	/* at the text's end */
	while (line > 1 &&
	       above >= line_rows(&src->lines[line - 2], 0, w)) {
		above -= line_rows(&src->lines[line - 2], 0, w);
		line--;
	}
	from = (long)line + s->source_scroll;
	return (size_t)MAX(1, MIN(from, (long)src->count));
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	char note[64];
	size_t from, cut;
	int y;

	snprintf(note, sizeof(note), _("line %u"), sc ? sc->line : 0);
	if (r.h > 3)	/* a line or two need no frame */
		r = canvas_frame(c, r, sc ? sc->info->file : _("source"),
				 sc && sc->line ? note : NULL, false);
	if (!sc) {
		/* Next to a picture, which says it already. */
		if (s->pane == PANE_SOURCE && s->waiting)
			prose_text(c, r, 0, s->waiting, INK(ROLE_DIM));
		return;
	}
	if (r.h < 1)
		return;
	from = first_line(r, s);
	/* Deeply indented code loses, in a narrow pane, the indent that all
	 * lines share. */
	cut = indent_of_shown(sc->source, from, from + (size_t)r.h - 1);
	y = r.y;
	for (size_t n = from; n <= sc->source->count && y < r.y + r.h; n++) {
		y += draw_source_line(
			c, r, y, s, n,
			MIN(cut, strlen(sc->source->lines[n - 1].text)));
		if (sc->line == n)
			y += draw_index_numbers(c, r, y, s);
	}
}

const struct view view_source = {
	.name = "source",
	.title = N_("source"),
	.help = N_("the line, with the lane's numbers in it"),
	.pane = PANE_SOURCE,
	.draw = draw,
};
