/* The kernel's text: the current line lit, its index with numbers in it. */
#include <stdlib.h>
#include <string.h>

#include "viz/show.h"

static int digits(size_t n)
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

/* The hue of the focused lane; the expression is drawn on it. */
static enum role span_role(const struct scene *sc)
{
	return sc->lane_active ? ROLE_HUE(sc->cursor.lane) : ROLE_SEEN;
}

static void draw_line(struct canvas *c, struct rect r, int y,
		      const struct show *s, size_t line, size_t from)
{
	const struct scene *sc = s->scene;
	const struct source_line *l = &sc->source->lines[line - 1];
	bool current = sc->site && sc->site->line == line;
	int number = digits(sc->source->count), x = r.x + number + 2;
	bool cut = false;
	struct rect old = canvas_clip(c, r);

	/* A long line is drawn from where its index expression can be seen. */
	if (sc->has_span && sc->span.line == line &&
	    x + (int)(sc->span.start + sc->span.len - from) >= r.x + r.w &&
	    sc->span.start > from) {
		size_t over = sc->span.start + sc->span.len - from -
			      (size_t)(r.x + r.w - x) + 3;

		from += MIN(over, sc->span.start - from);
		cut = true;
	}
	if (current)
		canvas_fill(c, (struct rect){ r.x, y, r.w, 1 }, ' ',
			    INK_ON(ROLE_TEXT, ROLE_LINE));
	canvas_textf(c, r.x, y, number + 1, current ?
		     (struct ink){ ROLE_ACCENT, ROLE_LINE, ATTR_BOLD } :
		     INK(ROLE_FAINT), "%*zu", number, line);
	if (cut)
		x += canvas_text(c, x, y, 2, "\xe2\x80\xa6 ",
				 INK_ON(ROLE_DIM, ROLE_LINE));
	for (size_t i = from; l->text[i];) {
		size_t n = 1, end;
		bool span = sc->has_span && sc->span.line == line &&
			    i >= sc->span.start &&
			    i < sc->span.start + sc->span.len;
		struct ink ink = token_ink(l->token[i], current);
		char *part;

		if (span)
			ink = (struct ink){ ROLE_ON_HUE, span_role(sc),
					    ATTR_BOLD };
		/* A run of one ink; it ends where the span begins or ends. */
		for (end = i + 1; l->text[end]; end++) {
			bool in = sc->has_span && sc->span.line == line &&
				  end >= sc->span.start &&
				  end < sc->span.start + sc->span.len;

			if (in != span ||
			    (!span && l->token[end] != l->token[i]))
				break;
		}
		n = end - i;
		part = xstrndup(l->text + i, n);
		x += canvas_text(c, x, y, r.x + r.w - x, part, ink);
		free(part);
		if (x >= r.x + r.w) {
			if (l->text[end])
				canvas_put(c, r.x + r.w - 1, y, 0x2026, ink);
			break;
		}
		i = end;
	}
	canvas_clip(c, old);
}

/* "A[(0*64 + 9)*64 + 16 + 4] = A[596] = row 9, column 20: -3" */
static void add_numbers(struct str *line, const struct scene *sc)
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

/* What stands under the current line; NULL canvas: only counts the rows. */
static int draw_numbers(struct canvas *c, struct rect r, int y,
			const struct show *s)
{
	const struct scene *sc = s->scene;
	int number = digits(sc->source->count) + 2, rows = 0;
	struct rect in = { r.x + number, y, r.w - number, r.y + r.h - y };
	struct str line = {0};

	/* They would give the answer to many a question away. */
	if (!sc->array || s->quiet)
		return 0;
	if (sc->lane_active)
		add_numbers(&line, sc);
	else
		str_addf(&line, _("lane %u sits out"), sc->cursor.lane);
	rows = prose_text(c, in, 0, line.data, INK(sc->lane_active ?
			  ROLE_ACCENT : ROLE_DIM));
	str_done(&line);
	return rows;
}

/* The first line shown: the current one and its numbers are all in view. */
static size_t first_line(struct rect r, const struct show *s)
{
	const struct scene *sc = s->scene;
	long line = sc->site && sc->site->line ? sc->site->line : 1;
	long count = (long)sc->source->count, from, last;
	int rows = draw_numbers(NULL, r, r.y, s);

	from = line - MAX(0, MIN(r.h / 2, r.h - 1 - rows)) +
	       s->source_scroll;
	last = MAX(1, count + 1 + rows - r.h);
	return (size_t)MAX(1, MIN(from, last));
}

/* How many columns every shown line begins with that are only spaces. */
static size_t common_indent(const struct source *src, size_t from, size_t to)
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

static void draw(struct canvas *c, struct rect r, const struct show *s)
{
	const struct scene *sc = s->scene;
	char note[64];
	size_t from, cut;
	int y;

	snprintf(note, sizeof(note), _("line %u"),
		 sc && sc->site ? sc->site->line : 0);
	r = canvas_frame(c, r, sc ? sc->info->file : _("source"),
			 sc && sc->site && sc->site->line ? note : NULL,
			 false);
	if (!sc) {
		prose_text(c, r, 0, s->waiting ? s->waiting : "",
			   INK(ROLE_DIM));
		return;
	}
	if (r.h < 1)
		return;
	from = first_line(r, s);
	/* Deep code in a narrow pane loses the indent that all lines share. */
	cut = common_indent(sc->source, from, from + (size_t)r.h - 1);
	y = r.y;
	for (size_t n = from; n <= sc->source->count && y < r.y + r.h; n++) {
		draw_line(c, r, y++, s, n, MIN(cut, strlen(
				  sc->source->lines[n - 1].text)));
		if (sc->site && sc->site->line == n)
			y += draw_numbers(c, r, y, s);
	}
}

const struct view view_source = {
	.name = "source",
	.title = N_("source"),
	.help = N_("the line, with the lane's numbers in it"),
	.pane = PANE_SOURCE,
	.draw = draw,
};
