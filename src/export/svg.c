#include "export/svg.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "export/export.h"
#include "export/glyph.h"

#define MARGIN GLYPH_W
/* At this size DejaVu Sans Mono, whose characters are 1233/2048 em wide, is as
 * wide as a cell. */
#define FONT_SIZE "13.288"
#define BASELINE 12		/* below a cell's top */

/* ---- rectangles of one colour ---- */

/* Rectangles that touch are joined as they are added, in reading order. */
struct shapes {
	struct rect *all;
	size_t count, capacity;
	/* By x: the last rectangle that begins there, plus 1; 0: none. */
	size_t *last;
};

static void add_shape(struct shapes *s, struct rect r)
{
	struct rect *before = s->count ? &s->all[s->count - 1] : NULL;

	if (before && before->y == r.y && before->h == r.h &&
	    before->x + before->w == r.x) {
		before->w += r.w;
		return;
	}
	grow(&s->all, &s->capacity, s->count + 1, sizeof(*s->all));
	s->all[s->count++] = r;
}

/* Joins rectangles that stand on top of each other, adds all to a path, and
 * empties s. */
static void add_shapes_path(struct str *out, struct shapes *s)
{
	for (size_t i = 0; i < s->count; i++) {
		struct rect *r = &s->all[i];
		size_t *last = &s->last[r->x];
		struct rect *over = *last ? &s->all[*last - 1] : NULL;

		if (over && over->w == r->w && over->y + over->h == r->y) {
			over->h += r->h;
			r->w = 0;
		} else {
			*last = i + 1;
		}
	}
	for (size_t i = 0; i < s->count; i++) {
		const struct rect *r = &s->all[i];

		s->last[r->x] = 0;
		if (r->w)
			str_addf(out, "M%d %dh%dv%dh-%dz", r->x, r->y, r->w,
				 r->h, r->w);
	}
	s->count = 0;
}

/* ---- cells ---- */

struct cells {
	struct str *out;
	const struct canvas *c;
	const bool *which;
	struct paint *paint;
	struct shapes shapes;
};

static bool is_selected(const struct cells *k, int i)
{
	return !k->which || k->which[i];
}

static void add_grounds(struct cells *k, uint8_t colour)
{
	for (int i = 0; i < k->c->w * k->c->h; i++)
		if (is_selected(k, i) && k->paint[i].bg == colour)
			add_shape(&k->shapes, (struct rect){
				i % k->c->w * GLYPH_W, i / k->c->w * GLYPH_H,
				GLYPH_W, GLYPH_H });
	str_addf(k->out, "<path class=\"c%d s\" d=\"", colour);
	add_shapes_path(k->out, &k->shapes);
	str_add(k->out, "\"/>");
}

/* Adds the parts of characters that have this colour and strength (GLYPH_LINES:
 * lines). */
static void add_glyphs(struct cells *k, uint8_t colour, int quarters)
{
	struct glyph_part part[GLYPH_PARTS];
	int strength;

	for (int i = 0; i < k->c->w * k->c->h; i++) {
		size_t n = is_selected(k, i) && k->paint[i].fg == colour ?
				   glyph_parts(k->c->cells[i].ch, part,
					       &strength) :
				   0;

		for (size_t p = 0; p < n && strength == quarters; p++)
			add_shape(&k->shapes, (struct rect){
				i % k->c->w * GLYPH_W + part[p].x,
				i / k->c->w * GLYPH_H + part[p].y, part[p].w,
				part[p].h });
	}
	if (!k->shapes.count)
		return;
	str_addf(k->out, "<path class=\"c%d%s\" ", colour,
		 quarters == GLYPH_LINES ? "" : " s");
	if (quarters != GLYPH_LINES && quarters < 4)
		str_addf(k->out, "opacity=\".%d\" ", 25 * quarters);
	str_add(k->out, "d=\"");
	add_shapes_path(k->out, &k->shapes);
	str_add(k->out, "\"/>");
}

/* Tells whether a cell has a character that is written as text. */
static bool has_text(const struct cells *k, int i)
{
	uint32_t ch = k->c->cells[i].ch;

	return is_selected(k, i) && ch && ch != ' ' && !glyph_drawn(ch);
}

/* Tells whether cell i continues the text that begins at cell `from`: the
 * spaces between its words belong to it. */
static bool continues_span(const struct cells *k, int from, int i)
{
	const struct paint *a = &k->paint[from], *b = &k->paint[i];
	uint32_t ch = k->c->cells[i].ch;

	if (!is_selected(k, i) || !ch || text_char_width(ch) != 1)
		return false;
	if (ch == ' ')
		return !((a->attr ^ b->attr) & ATTR_UNDERLINE);
	return has_text(k, i) && a->fg == b->fg && a->attr == b->attr;
}

static void add_tspan(struct cells *k, int from, int to)
{
	const struct paint *p = &k->paint[from];
	bool wide = text_char_width(k->c->cells[from].ch) == 2;
	char bytes[4];

	str_addf(k->out, "<tspan x=\"%d\" class=\"c%d%s%s\"",
		 from % k->c->w * GLYPH_W, p->fg,
		 p->attr & ATTR_BOLD ? " b" : "",
		 p->attr & ATTR_UNDERLINE ? " u" : "");
	if (to - from > 2 && !wide)
		str_addf(k->out, " textLength=\"%d\"", (to - from) * GLYPH_W);
	str_addc(k->out, '>');
	for (int i = from; i < to; i++)
		if (k->c->cells[i].ch)
			export_escape(k->out, bytes,
				      text_encode(k->c->cells[i].ch, bytes));
	str_add(k->out, "</tspan>");
}

/* Returns the end of the text that begins at cell i of a row that ends at
 * `end`, without the spaces after its last word. */
static int span_end(const struct cells *k, int i, int end)
{
	int to = i + 1;

	if (text_char_width(k->c->cells[i].ch) == 2)
		return to;
	for (int n = to; n < end && continues_span(k, i, n); n++)
		if (k->c->cells[n].ch != ' ')
			to = n + 1;
	return to;
}

static void add_text_row(struct cells *k, int y)
{
	int i = y * k->c->w, end = i + k->c->w;
	bool any = false;

	while (i < end) {
		if (!has_text(k, i)) {
			i++;
			continue;
		}
		if (!any)
			str_addf(k->out, "<text y=\"%d\">",
				 y * GLYPH_H + BASELINE);
		any = true;
		add_tspan(k, i, span_end(k, i, end));
		i = span_end(k, i, end);
	}
	if (any)
		str_add(k->out, "</text>");
}

void svg_cells(struct str *out, const struct canvas *c, const bool *which,
	       const struct theme *t)
{
	int n = c->w * c->h;
	struct cells k = { .out = out, .c = c, .which = which };
	bool fg[256] = { false }, bg[256] = { false };

	k.paint = xcalloc((size_t)n + 1, sizeof(*k.paint));
	k.shapes.last = xcalloc((size_t)c->w * GLYPH_W + 1, sizeof(size_t));
	for (int i = 0; i < n; i++) {
		k.paint[i] = paint_cell(t, &c->cells[i]);
		if (!is_selected(&k, i))
			continue;
		bg[k.paint[i].bg] = true;
		fg[k.paint[i].fg] |= glyph_drawn(c->cells[i].ch);
	}
	bg[paint_ground(t)] = false;
	for (int colour = 0; colour < 256; colour++)
		if (bg[colour])
			add_grounds(&k, (uint8_t)colour);
	for (int colour = 0; colour < 256; colour++)
		for (int quarters = 0; fg[colour] && quarters <= 4; quarters++)
			add_glyphs(&k, (uint8_t)colour, quarters);
	for (int y = 0; y < c->h; y++)
		add_text_row(&k, y);
	str_addc(out, '\n');
	free(k.shapes.all);
	free(k.shapes.last);
	free(k.paint);
}

/* ---- the picture ---- */

static void add_colours(struct str *out, const struct theme *t)
{
	bool used[256] = { false };

	paint_colours(t, used);
	for (int i = 0; i < 256; i++)
		if (used[i])
			str_addf(out, ".c%d{fill:#%06x}", i, theme_rgb(i));
}

void svg_begin(struct str *out, int w, int h, const struct theme *t,
	       const char *title, const char *desc, const char *style)
{
	int wide = w * GLYPH_W + 2 * MARGIN, high = h * GLYPH_H + 2 * MARGIN;

	str_addf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		 "height=\"%d\" viewBox=\"-%d -%d %d %d\" role=\"img\" "
		 "xml:space=\"preserve\">", wide, high, MARGIN, MARGIN, wide,
		 high);
	str_add(out, "<title>");
	export_escape(out, title, strlen(title));
	str_add(out, "</title>\n");
	if (desc) {
		str_add(out, "<desc>");
		export_escape(out, desc, strlen(desc));
		str_add(out, "</desc>\n");
	}
	str_add(out, "<style>text{font:" FONT_SIZE "px \"DejaVu Sans Mono\","
		"Menlo,Consolas,monospace;white-space:pre}"
		".s{shape-rendering:crispEdges}.b{font-weight:bold}"
		".u{text-decoration:underline}");
	add_colours(out, t);
	str_addf(out, "%s</style>\n", style);
	str_addf(out, "<rect class=\"c%d\" x=\"-%d\" y=\"-%d\" width=\"%d\" "
		 "height=\"%d\"/>\n", paint_ground(t), MARGIN, MARGIN, wide,
		 high);
}

void svg_end(struct str *out)
{
	str_add(out, "</svg>\n");
}
