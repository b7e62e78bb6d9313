#include "export/html_frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "export/glyph.h"
#include "export/paint.h"

#define CONTINUED 0x7f		/* the second cell of a wide character */

void html_frames_done(struct html_frames *k)
{
	json_decref(k->frames);
	json_decref(k->glyphs);
	free(k->styles);
	canvas_done(&k->now);
}

/* ---- looks ---- */

static size_t colour_number(struct html_frames *k, uint8_t dark, uint8_t light)
{
	size_t i = 0;

	while (i < k->colour_count && (k->colours[i].dark != dark ||
				       k->colours[i].light != light))
		i++;
	if (i == k->colour_count)
		k->colours[k->colour_count++] = (struct html_colour){ dark,
								      light };
	return i;
}

size_t html_colour(struct html_frames *k, uint8_t role, bool paint)
{
	struct cell cell = paint ? (struct cell){ .ch = ' ', .bg = role } :
				   (struct cell){ .ch = 'x', .fg = role };
	struct paint dark = paint_cell(theme_find("dark"), &cell);
	struct paint light = paint_cell(theme_find("light"), &cell);

	return colour_number(k, paint ? dark.bg : dark.fg,
			     paint ? light.bg : light.fg);
}

/* Characters that a theme colours alike have the same of these. */
static const uint32_t samples[] = { 'x', 0x2588, 0x2500 };

static uint32_t sample_of(const struct cell *c)
{
	bool block = c->ch >= 0x2580 && c->ch <= 0x259f;
	bool line = (c->ch >= 0x2500 && c->ch < 0x2580) ||
		    (c->ch >= 0x2800 && c->ch <= 0x28ff);

	return block ? 1 : line && c->bg ? 2 : 0;
}

/* Packs the cell's look into one number; a blank's look is its background
 * alone. */
static uint32_t pack_look(const struct cell *c)
{
	bool blank = c->ch == ' ' &&
		     !(c->attr & (ATTR_UNDERLINE | ATTR_REVERSE));

	return blank ? (uint32_t)c->bg << 8 :
	       c->fg | (uint32_t)c->bg << 8 | (uint32_t)c->attr << 16 |
	       sample_of(c) << 24;
}

static size_t style_number(struct html_frames *k, const struct cell *c)
{
	uint32_t look = pack_look(c);

	for (size_t i = 0; i < k->style_count; i++)
		if (k->styles[i] == look)
			return i;
	grow(&k->styles, &k->style_capacity, k->style_count + 1,
	     sizeof(*k->styles));
	k->styles[k->style_count] = look;
	return k->style_count++;
}

void html_frames_init(struct html_frames *k, int w, int h)
{
	*k = (struct html_frames){ .frames = json_array(),
				   .glyphs = json_object() };
	canvas_init(&k->now, w, h);
	style_number(k, k->now.cells); /* style 0 is a blank cell's */
}

static void note_glyph(struct html_frames *k, uint32_t ch, const char *text)
{
	struct glyph_part part[GLYPH_PARTS];
	int quarters;
	size_t n = glyph_parts(ch, part, &quarters);
	json_t *j;

	if (!glyph_drawn(ch) || json_object_get(k->glyphs, text))
		return;
	j = json_pack("[i]", quarters);
	for (size_t i = 0; i < n; i++) {
		json_array_append_new(j, json_integer(part[i].x));
		json_array_append_new(j, json_integer(part[i].y));
		json_array_append_new(j, json_integer(part[i].w));
		json_array_append_new(j, json_integer(part[i].h));
	}
	json_object_set_new(k->glyphs, text, j);
}

/* ---- a frame ---- */

/* Tells whether cell i must be sent: it has changed or, with `all` (the screen
 * is blank), shows something. */
static bool must_send(struct html_frames *k, const struct canvas *c, int i,
		      bool all)
{
	return all ? c->cells[i].ch != ' ' || pack_look(&c->cells[i]) :
		     !paint_same(&c->cells[i], &k->now.cells[i]);
}

static void add_cell(struct html_frames *k, struct str *text, uint32_t ch)
{
	char bytes[5] = { 0 };

	bytes[text_encode(ch ? ch : CONTINUED, bytes)] = 0;
	note_glyph(k, ch, bytes);
	str_add(text, bytes);
}

static json_t *changed_runs(struct html_frames *k, const struct canvas *c,
			    bool all)
{
	json_t *d = json_array();
	int n = c->w * c->h;

	for (int i = 0; i < n;) {
		struct str text = {0};
		size_t style;
		int from = i;

		if (!must_send(k, c, i, all)) {
			i++;
			continue;
		}
		style = style_number(k, &c->cells[i]);
		while (i < n && must_send(k, c, i, all) &&
		       style_number(k, &c->cells[i]) == style)
			add_cell(k, &text, c->cells[i++].ch);
		json_array_append_new(d, json_integer(from));
		json_array_append_new(d, json_integer((json_int_t)style));
		json_array_append_new(d, json_string(text.data));
		str_done(&text);
	}
	return d;
}

/* ---- lanes ---- */

/* Returns the lanes, a bit each, whose accesses of this request touch the
 * elements of a cell. */
static uint32_t element_lanes(const struct stage_array *a,
			      const struct hit *hit)
{
	uint32_t lanes = 0;

	for (size_t i = 0; i < a->mark_count; i++) {
		const struct mark *m = &a->marks[i];

		if (!m->age && !m->other && m->row - hit->row < hit->rows &&
		    m->col - hit->col < hit->cols)
			lanes |= UINT32_C(1) << m->lane;
	}
	return lanes;
}

/* Returns the lanes, a bit each, that a cell belongs to, and writes its name,
 * such as "A[1][2]". */
static uint32_t cell_lanes(const struct frame_model *s, const struct hit *hit,
			   char *name, size_t size)
{
	name[0] = 0;
	if (hit->kind == HIT_LANE)
		return UINT32_C(1) << hit->index;
	if (hit->kind != HIT_ELEMENT)
		return 0;
	snprintf(name, size, "%s[%u][%u]",
		 text_show(s->scene->arrays[hit->array].array->name), hit->row,
		 hit->col);
	return element_lanes(&s->scene->arrays[hit->array], hit);
}

/* Returns the number of a name among those of this frame, from 1; adds it if it
 * is new. */
static json_int_t name_number(json_t *names, uint32_t lanes, const char *name)
{
	size_t i;
	json_t *j;

	json_array_foreach(names, i, j)
		if (json_integer_value(json_array_get(j, 0)) == lanes &&
		    !strcmp(json_string_value(json_array_get(j, 1)), name))
			return (json_int_t)i + 1;
	json_array_append_new(names, json_pack("[I, s]", (json_int_t)lanes,
					       name));
	return (json_int_t)json_array_size(names);
}

/* Returns the cells that belong to lanes, as runs; NULL: no cell does. */
static json_t *lane_runs(const struct frame_model *s, int w, int h)
{
	json_t *names = json_array(), *runs = json_array();
	struct hit *hits = xcalloc((size_t)w * (size_t)h, sizeof(*hits));
	json_int_t last = 0, count = 0;
	char name[1024];

	frame_hits(s, w, h, hits);
	for (int i = 0; i <= w * h; i++) {
		uint32_t lanes = i < w * h ? cell_lanes(s, &hits[i], name,
							sizeof(name)) : 0;
		json_int_t now = lanes ? name_number(names, lanes, name) : 0;

		if (i && (now != last || i == w * h)) {
			json_array_append_new(runs, json_integer(count));
			json_array_append_new(runs, json_integer(last));
			count = 0;
		}
		count++;
		last = now;
	}
	free(hits);
	if (json_array_size(names))
		return json_pack("[o, o]", names, runs);
	json_decref(names);
	json_decref(runs);
	return NULL;
}

void html_frames_add(struct html_frames *k, const struct export_frame *f,
		     int question)
{
	const struct canvas *c = f->canvas;
	struct str seconds = {0};
	json_t *j, *lanes;

	export_seconds(&seconds, f->seconds);
	j = json_pack("{s:f, s:o}", "s", strtod(seconds.data, NULL), "d",
		      changed_runs(k, c, f->chapter != NULL));
	str_done(&seconds);
	if (f->chapter)
		json_object_set_new(j, "c", json_string(f->chapter));
	if (question >= 0)
		json_object_set_new(j, "q", json_integer(question));
	if (f->words) {
		json_object_set_new(j, "w", json_string(f->words));
		lanes = lane_runs(f->drawn, c->w, c->h);
		if (lanes)
			json_object_set_new(j, "l", lanes);
	}
	json_array_append_new(k->frames, j);
	memcpy(k->now.cells, c->cells,
	       (size_t)c->w * c->h * sizeof(*c->cells));
}

json_t *html_frames_json(struct html_frames *k)
{
	json_t *styles = json_array();

	for (size_t i = 0; i < k->style_count; i++) {
		uint32_t look = k->styles[i];
		struct cell cell = { samples[look >> 24], look & 0xff,
				     look >> 8 & 0xff, look >> 16 & 0xff };
		struct paint dark = paint_cell(theme_find("dark"), &cell);
		struct paint light = paint_cell(theme_find("light"), &cell);

		json_array_append_new(styles, json_pack("[I, I, i]",
			(json_int_t)colour_number(k, dark.fg, light.fg),
			(json_int_t)colour_number(k, dark.bg, light.bg),
			dark.attr));
	}
	return json_pack("{s:i, s:i, s:o, s:O, s:O}", "w", k->now.w, "h",
			 k->now.h, "styles", styles, "glyphs", k->glyphs,
			 "frames", k->frames);
}
