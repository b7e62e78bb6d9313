/*
 * A defect: who, what, where and when. It shows the source lines of both
 * threads, the element in its array, and the order in which the threads came to
 * it.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "viz/pictures/defect/defect.h"
#include "viz/kit.h"
#include "viz/frame_model.h"

/* ---- the lines ---- */

/* Draws a thread's source line, without its first `indent` columns, and what it
 * does at the right. */
static void draw_thread_line(struct canvas *c, struct rect r,
			     const struct scene *sc,
			     const struct defect_actor *a, size_t indent,
			     enum role role)
{
	char who[64], deed[64], right[160];
	const char *text = "";
	int w;

	if (a->line && a->line <= sc->source->count)
		text = sc->source->lines[a->line - 1].text;
	defect_thread(who, sizeof(who), sc, a);
	defect_deed(deed, sizeof(deed), &sc->defect, a, false);
	snprintf(right, sizeof(right), "%s %s", who, deed);
	w = MIN(text_width(right), r.w / 2);
	canvas_fill(c, r, ' ', INK_ON(ROLE_TEXT, ROLE_LINE));
	if (a->line)
		canvas_textf(c, r.x, r.y, 4, INK_BOLD(role), "%3" PRIu32,
			     a->line);
	canvas_text(c, r.x + 5, r.y, r.w - w - 7,
		    text + MIN(indent, strspn(text, " ")),
		    INK(ROLE_STRONG));
	canvas_right(c, r.x + r.w - w - 1, r.y, w, right, INK_BOLD(role));
}

/* Draws the threads' lines, in the order of events. */
static void draw_thread_lines(struct canvas *c, struct rect r,
			      const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	const struct defect *d = &sc->defect;

	r.h = 1;
	for (int i = 0; i < 2; i++) {
		bool other = d->other_first == !i;
		const struct defect_actor *a = other ? &d->other : &d->access;

		if (!a->known)
			continue;
		if (!other || !s->quiet)
			draw_thread_line(c, r, sc, a, SIZE_MAX,
					 other ? ROLE_OTHER : ROLE_WHO);
		r.y++;
	}
}

static int line_count(const struct frame_model *s)
{
	const struct defect *d = &s->scene->defect;

	return d->access.known + d->other.known;
}

/* Returns how far all of these lines are indented, in columns. */
static size_t excerpt_indent(const struct source *source, uint32_t from,
			     int rows)
{
	size_t least = SIZE_MAX;

	for (uint32_t line = from; line < from + (uint32_t)rows &&
	     line <= source->count; line++) {
		const char *text = source->lines[line - 1].text;
		size_t n = strspn(text, " ");

		if (text[n])
			least = MIN(least, n);
	}
	return least;
}

/* Draws the source from line `from` on, with both threads' lines marked. */
static void draw_source_from(struct canvas *c, struct rect r,
			     const struct frame_model *s, uint32_t from)
{
	const struct scene *sc = s->scene;
	const struct defect *d = &sc->defect;
	size_t indent = excerpt_indent(sc->source, from, r.h);

	for (uint32_t line = from; line < from + (uint32_t)r.h &&
	     line <= sc->source->count; line++) {
		struct rect row = { r.x, r.y + (int)(line - from), r.w, 1 };
		const char *text = sc->source->lines[line - 1].text;

		if (d->access.known && line == d->access.line)
			draw_thread_line(c, row, sc, &d->access, indent,
					 ROLE_WHO);
		else if (d->other.known && !s->quiet &&
			 line == d->other.line)
			draw_thread_line(c, row, sc, &d->other, indent,
					 ROLE_OTHER);
		else
			canvas_textf(c, row.x, row.y, row.w, INK(ROLE_DIM),
				     "%3" PRIu32 "  %s", line,
				     text + MIN(indent, strspn(text, " ")));
	}
}

/* Draws the source around both lines; if it does not fit, each line with its
 * neighbours. */
static void draw_excerpt(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct defect *d = &s->scene->defect;
	uint32_t low = d->access.line, high = low;
	int rows, part;

	if (d->other.known && d->other.line) {
		low = MIN(low, d->other.line);
		high = MAX(high, d->other.line);
	}
	if (!low)
		return;
	r = canvas_frame(c, r, s->scene->info->file, NULL, false);
	r.x++;
	r.w -= 2;
	rows = (int)(high - low) + 1;
	if (rows <= r.h) {
		int before = (r.h - rows) / 2;

		draw_source_from(
			c, r, s,
			low > (uint32_t)before ? low - (uint32_t)before : 1);
		return;
	}
	part = (r.h - 1) / 2;
	draw_source_from(c, (struct rect){ r.x, r.y, r.w, part }, s, low);
	canvas_put(c, r.x + 2, r.y + part, 0x22ee, INK(ROLE_DIM));
	draw_source_from(c, (struct rect){ r.x, r.y + part + 1, r.w, part }, s,
			 high - (uint32_t)part + 1);
}

/* ---- order of events ---- */

#define BOX 7	/* columns of an event, with a gap behind it */

static void event_words(char *buf, size_t size, const struct defect_event *e)
{
	if (e->op == OP_BARRIER)
		snprintf(buf, size, "%s", _("gate"));
	else
		snprintf(buf, size, "%s", e->array ? e->array->name :
			 e->here ? _("here") : op_name(e->op));
}

static void draw_event(struct canvas *c, int x, int y, int h,
		       const struct defect_event *e, enum role role)
{
	struct ink ink = { ROLE_ON_HUE, e->here ? ROLE_BAD :
			   e->op == OP_BARRIER ? ROLE_OWN : role,
			   e->here ? ATTR_BOLD : 0 };
	char line[16], what[32];

	snprintf(line, sizeof(line), "%" PRIu32, e->line);
	event_words(what, sizeof(what), e);
	canvas_fill(c, (struct rect){ x, y, BOX - 1, h }, ' ', ink);
	y += (h - 2) / 2;
	kit_box(c, (struct rect){ x, y, BOX - 1, 1 }, line, ink);
	kit_box(c, (struct rect){ x, y + 1, BOX - 1, 1 }, what, ink);
}

/* Draws the events of one thread, the last at column `last`. part: how much of
 * its way that one has come in from the right, 0 to 1. */
static void draw_events(struct canvas *c, struct rect r,
			const struct defect_actor *a, int last, double part,
			enum role role)
{
	for (size_t i = 0; i < a->event_count; i++) {
		const struct defect_event *e = &a->events[i];
		int x = r.x + (last - (int)(a->event_count - 1 - i)) * BOX;

		if (e->here)
			x = (int)lround(kit_between(r.x + r.w - BOX, x, part));
		if (x >= r.x && x + BOX <= r.x + r.w + 1 &&
		    (part > 0 || !e->here))
			draw_event(c, x, r.y, r.h, e, role);
	}
}

/* Returns the columns at the left for the thread's name. */
static int actor_columns(int w)
{
	return w >= 56 ? 24 : 16;
}

static void draw_actor(struct canvas *c, struct rect r, const struct frame_model *s,
		       const struct defect_actor *a, int last, double part)
{
	const struct defect *d = &s->scene->defect;
	bool other = a == &d->other;
	enum role role = other ? ROLE_OTHER : ROLE_WHO;
	char text[64];
	int name = actor_columns(r.w);

	defect_thread(text, sizeof(text), s->scene, a);
	canvas_text(c, r.x, r.y, name, text, INK_BOLD(role));
	defect_deed(text, sizeof(text), d, a, name > 16 && !s->quiet);
	canvas_text(c, r.x, r.y + 1, name, text, INK(ROLE_TEXT));
	r.x += name;
	r.w -= name;
	if (a->found)
		draw_events(c, r, a, last, part,
			    other ? ROLE_TRAIL1 : ROLE_TRAIL0);
	else
		canvas_text(c, r.x, r.y, r.w, _("not in the recording"),
			    INK(ROLE_DIM));
}

/* Draws, between the two events, that nothing orders them. */
static void draw_between(struct canvas *c, struct rect r, int column,
			 const struct defect *d)
{
	int x = r.x + actor_columns(r.w) + column * BOX - 1;
	const char *words = _("no barrier between them");

	if (x >= r.x + r.w - 4 || !d->other.found)
		return;
	for (int y = r.y; y < r.y + r.h; y++)
		canvas_put(c, x, y, 0x2506, INK(ROLE_BAD));
	if ((d->finding->cause == CAUSE_UNORDERED ||
	     d->finding->cause == CAUSE_UNWRITTEN) &&
	    text_width(words) < x - r.x)
		canvas_right(c, r.x, r.y + r.h / 2, x - r.x - 1, words,
			     INK(ROLE_BAD));
}

static void draw_when(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct defect *d = &s->scene->defect;
	const struct defect_actor *first, *second;
	double t = s->quiet ? 0 : s->t;
	bool both = d->other.known;
	int columns, at, one;

	r = canvas_frame(c, r, _("who came when"),
			 r.w < 56 ? NULL :
			 _("order of events, not of time \xe2\x86\x92"),
			 false);
	r.x++;
	r.w -= 2;
	first = d->other_first ? &d->other : &d->access;
	second = d->other_first ? &d->access : &d->other;
	columns = (r.w - actor_columns(r.w)) / BOX;
	at = MAX(0, MIN(columns - 2, DEFECT_EVENTS - 1));
	one = both ? (r.h - 1) / 2 : r.h;
	if (first == &d->access || !s->quiet)
		draw_actor(c, (struct rect){ r.x, r.y, r.w, one }, s, first,
			   at, kit_act(t, 0, 0.4));
	if (!both)
		return;
	if (!s->quiet)
		draw_between(c, r, at + 1, d);
	if (second == &d->access || !s->quiet)
		draw_actor(c, (struct rect){ r.x, r.y + r.h - one, r.w, one }, s,
		   second, at + 1, kit_act(t, 0.5, 1));
}

/* ---- the finding ---- */

static void add_values(struct str *out, const struct defect *d)
{
	char got[32], want[32];

	if (d->finding->kind == FINDING_RESULT) {
		number_fit(got, sizeof(got), d->finding->got, 12);
		number_fit(want, sizeof(want), d->finding->expected, 12);
		str_addf(out, _("%s: %s stands there, %s is right."),
			 d->element, got, want);
	} else if (d->finding->cause == CAUSE_UNWRITTEN) {
		number_fit(got, sizeof(got), d->access.value, 12);
		number_fit(want, sizeof(want), d->other.value, 12);
		if (d->access.has_value && d->other.has_value)
			str_addf(out, _("Read: %s, before it was stored. "
					"Stored later: %s."), got, want);
		else if (!d->other.known)
			str_add(out, _("Nobody stores it in this phase."));
	}
}

/* Draws the sentence and the values; with c NULL, only measures them. Returns
 * the rows. */
static int finding_text_rows(struct canvas *c, struct rect r,
			     const struct defect *d)
{
	struct str values = { 0 };
	int used = prose_text(c, r, 0, d->sentence, INK_BOLD(ROLE_STRONG));

	add_values(&values, d);
	if (values.len && (!c || used < r.h))
		used += prose_text(c, (struct rect){ r.x, r.y + used, r.w,
						     r.h - used }, 0,
				   values.data, INK(ROLE_BAD));
	str_done(&values);
	return used + !d->here;
}

static void draw_defect_text(struct canvas *c, struct rect r,
			     const struct frame_model *s)
{
	const struct defect *d = &s->scene->defect;
	char title[64];

	if (d->groups < d->count)
		snprintf(title, sizeof(title),
			 ngettext("defect %zu of %zu (%zu finding)",
				  "defect %zu of %zu (%zu findings)",
				  d->groups), d->index + 1, d->count,
			 d->groups);
	else
		snprintf(title, sizeof(title), _("defect %zu of %zu"),
			 d->index + 1, d->count);
	r = canvas_frame(c, r, title, s->quiet ? NULL :
			 defect_words(d->finding), true);
	r.x++;
	r.w -= 2;
	if (s->quiet) {
		prose_text(c, r, 0, _("Answer first to see the finding."),
			   INK(ROLE_DIM));
		return;
	}
	if (finding_text_rows(c, r, d) <= r.h && !d->here)
		canvas_text(c, r.x, r.y + r.h - 1, r.w,
			    _("Not at this step: d goes there."),
			    INK(ROLE_DIM));
}

/* ---- the picture ---- */

/* Draws the source lines, the order of events, and the sentence; with little
 * room the sentence alone. */
static void draw_story(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct defect *d = &s->scene->defect;
	bool both = d->other.known;
	int when = both ? 7 : 4, text, lines;

	text = 2 + MAX(2, finding_text_rows(NULL, (struct rect){ 0, 0, r.w - 4,
								  0 }, d));
	lines = r.h - when - text;
	if (lines < -2) {
		draw_defect_text(c, r, s);
		return;
	}
	if (lines < 0) {	/* no room for a frame */
		draw_when(c, (struct rect){ r.x, r.y, r.w, when }, s);
		if (s->quiet)
			return;
		prose_fit(c, (struct rect){ r.x + 1, r.y + when, r.w - 2,
					    r.h - when }, d->sentence,
			  INK_BOLD(ROLE_STRONG));
		return;
	}
	text = MIN(text, r.h - when);
	/* The boxes are larger if there is room for both lines, too. */
	if (lines > 20 && d->access.line) {
		when += both ? 4 : 2;
		lines -= both ? 4 : 2;
	}
	if (lines < 5 || !d->access.line)
		text = r.h - when;
	else
		draw_excerpt(c, (struct rect){ r.x, r.y, r.w, lines }, s);
	r.y += r.h - when - text;
	draw_when(c, (struct rect){ r.x, r.y, r.w, when }, s);
	draw_defect_text(c, (struct rect){ r.x, r.y + when, r.w, text }, s);
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct stage_array *a = defect_array(s->scene);
	int left = a ? r.w / 2 : 0;

	if (r.h < 20) {
		int lines = line_count(s);

		draw_thread_lines(c, r, s);
		r.y += lines;
		r.h -= lines;
	}
	if (a && r.h > 6)
		defect_array_draw(c, (struct rect){ r.x, r.y, left, r.h }, s);
	draw_story(c, (struct rect){ r.x + left, r.y, r.w - left, r.h }, s);
}

static void words(struct str *out, const struct frame_model *s)
{
	const struct defect *d = &s->scene->defect;

	str_addf(out, _("Defect %zu of %zu, %s. %s. "), d->index + 1,
		 d->count, defect_words(d->finding), d->sentence);
	add_values(out, d);
}

static bool available(const struct frame_model *s)
{
	return s->scene && s->scene->defect.finding;
}

static enum view_rank rank(const struct scene *sc)
{
	return sc->finding ? RANK_STEP : RANK_NONE;
}

const struct view view_defect = {
	.name = "defect",
	.title = N_("defect"),
	.help = N_("what the recorder found: who, what, where and when"),
	.pane = PANE_PICTURE,
	.wide = true,
	.available = available,
	.rank = rank,
	.draw = draw,
	.words = words,
};
