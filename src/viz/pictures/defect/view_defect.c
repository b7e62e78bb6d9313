/*
 * A defect: the last tile hangs over the edge, and here is who fell off. It
 * shows the whole, the tile, the threads at the barrier, how often it happens,
 * and the fix; of races the array with its elements, and both threads.
 */
#include <stdio.h>

#include "base/text.h"
#include "viz/defect_words.h"
#include "viz/kit.h"
#include "viz/pictures/defect/defect_panels.h"

/* ---- sentences ---- */

/* Writes by how much the tile hangs over; "" if it does not. */
static void hang_words(char *buf, size_t size, const struct scene *sc)
{
	const struct defect_tile *t = &sc->facts->tile;
	const char *name = t->array ? t->array->name : "";

	buf[0] = 0;
	if (!t->array)
		return;
	if (sc->defect.finding->kind == FINDING_BARRIER && t->right + t->below)
		snprintf(buf, size, _("the block hangs over %s, and whoever "
				      "is outside never comes"), name);
	else if (t->below && t->right)
		snprintf(buf, size, _("the tile hangs over %s by %u rows and "
				      "%u columns"), name, t->below, t->right);
	else if (t->below)
		snprintf(buf, size, ngettext("the tile hangs over %s by %u row",
					     "the tile hangs over %s by %u "
					     "rows", t->below), name,
			 t->below);
	else if (t->right)
		snprintf(buf, size, ngettext("the tile hangs over %s by %u "
					     "column", "the tile hangs over "
					     "%s by %u columns", t->right),
			 name, t->right);
}

/* Writes "defect 1 of 7 (2 findings)". */
static void number_words(char *buf, size_t size, const struct defect *d)
{
	if (d->groups < d->count)
		snprintf(buf, size,
			 ngettext("defect %zu of %zu (%zu finding)",
				  "defect %zu of %zu (%zu findings)",
				  d->groups), d->index + 1, d->count,
			 d->groups);
	else
		snprintf(buf, size, _("defect %zu of %zu"), d->index + 1,
			 d->count);
}

/* Draws the first row: which defect it is, and in a few words what. */
static void draw_headline(struct canvas *c, struct rect r,
			  const struct frame_model *s)
{
	const struct defect *d = &s->scene->defect;
	char text[128];
	int x = r.x;

	number_words(text, sizeof(text), d);
	x += canvas_text(c, x, r.y, r.w, text, INK_BOLD(ROLE_STRONG)) + 2;
	if (s->quiet) {
		canvas_text(c, x, r.y, r.x + r.w - x,
			    _("Answer first to see the finding."),
			    INK(ROLE_DIM));
		return;
	}
	x += canvas_text(c, x, r.y, r.x + r.w - x, defect_words(d->finding),
			 INK_BOLD(ROLE_BAD));
	hang_words(text, sizeof(text), s->scene);
	if (!text[0] && d->array && d->other.known &&
	    (d->finding->cause == CAUSE_UNORDERED ||
	     d->finding->cause == CAUSE_UNWRITTEN))
		snprintf(text, sizeof(text),
			 d->access.op == d->other.op ?
			 _("no barrier between two stores to %s") :
			 _("no barrier between storing %s and reading it"),
			 d->array->name);
	if (text[0] && x + 2 + text_width(text) <= r.x + r.w)
		x += canvas_textf(c, x, r.y, r.x + r.w - x,
				  INK_BOLD(ROLE_BAD), ": %s", text);
	x += 2;
	if (!d->here)
		kit_whole(c, x, r.y, r.x + r.w - x,
			  _("Not at this step: d goes there."),
			  INK(ROLE_DIM));
}

/* ---- layout ---- */

/* Returns the largest unit at which the tile takes at most w x h cells. */
static struct defect_unit fit_tile(const struct defect_tile *t, int w, int h)
{
	static const struct defect_unit units[] = {
		{ 16, 16 }, { 12, 12 }, { 8, 8 }, { 6, 6 }, { 4, 4 }, { 2, 2 },
	};

	for (size_t i = 0; i < LENGTH(units); i++) {
		struct rect r = defect_tile_size(t, units[i]);

		if (r.w <= w && r.h <= h)
			return units[i];
	}
	return (struct defect_unit){ 1, 1 };
}

/* Returns the largest unit at which the block's threads fit. */
static struct defect_unit fit_threads(const struct scene *sc, int w, int h)
{
	static const struct defect_unit units[] = {
		{ 16, 8 }, { 8, 4 }, { 4, 2 }, { 3, 1 }, { 2, 1 },
	};

	for (size_t i = 0; i < LENGTH(units); i++) {
		struct rect r = defect_threads_size(sc, units[i]);

		if (r.w <= w && r.h <= h)
			return units[i];
	}
	return (struct defect_unit){ 1, 1 };
}

#define GAP 3		/* columns between two panels */

/* Draws what the finding is about: its tile, or its array. */
static void draw_subject(struct canvas *c, struct rect r,
			 const struct frame_model *s)
{
	const struct defect_facts *f = s->scene->facts;

	if (f->tile.array)
		defect_draw_tile(c, r, s, &f->tile,
				 fit_tile(&f->tile, r.w, r.h));
	else
		defect_draw_marks(c, r, s);
}

static void draw_threads(struct canvas *c, struct rect r,
			 const struct frame_model *s)
{
	defect_draw_threads(c, r, s, fit_threads(s->scene, r.w, r.h));
}

/* Returns where the tile stands in the w columns at the right of r. */
static struct rect place_tile(struct rect r, int w,
			      const struct defect_facts *f)
{
	struct rect at = defect_tile_size(&f->tile,
					  fit_tile(&f->tile, w, r.h));

	at.x = r.x + r.w + GAP;
	at.y = r.y;
	return at;
}

/* Draws three columns: the whole and the fix; the tile and the threads; the
 * second tile and the counts. */
static void draw_large(struct canvas *c, struct rect r,
		       const struct frame_model *s)
{
	const struct defect_facts *f = s->scene->facts;
	int low = MAX(MAX(9, r.h * 3 / 10), defect_fix_rows(s->scene));
	int high = r.h - low - 1, w = (r.w - 2 * GAP) / 3;
	struct rect at = { r.x, r.y, w, high };
	struct rect below = { r.x, r.y + high + 1, w, low };

	w = MAX(w, defect_tile_size(&f->tile, fit_tile(&f->tile, r.w * 7 / 20,
						       high)).w);
	at.w = below.w = r.w - 2 * (w + GAP);
	if (defect_has_whole(s->scene))
		defect_draw_whole(c, at, place_tile(at, w, f), s);
	defect_draw_fix(c, below, s);
	at.x = below.x = at.x + at.w + GAP;
	at.w = below.w = w;
	draw_subject(c, at, s);
	if (f->meeting.known)
		draw_threads(c, below, s);
	at.x = below.x = at.x + w + GAP;
	if (f->second.array)
		defect_draw_tile(c, at, s, &f->second,
				 fit_tile(&f->second, at.w, at.h));
	if (!s->quiet)
		defect_draw_counts(c, below, s);
}

/* Draws the source around the finding's line. */
static void draw_excerpt(struct canvas *c, struct rect r,
			 const struct scene *sc)
{
	int last = (int)sc->source->count;
	int line = (int)sc->defect.access.line, other = 0, first;

	if (sc->defect.other.known)
		other = (int)sc->defect.other.line;
	first = MAX(1, MIN((other ? MIN(line, other) : line) - r.h / 2,
			   last - r.h + 1));
	if (!c->mono)
		canvas_fill(c, r, ' ', INK_ON(ROLE_DIM, ROLE_FIELD));
	for (int i = 0; i < r.h && first + i <= last; i++) {
		bool here = first + i == line || first + i == other;

		canvas_textf(c, r.x, r.y + i, r.w, here ? INK_BOLD(ROLE_STRONG) :
			     INK(ROLE_DIM), "%3d  %s", first + i,
			     sc->source->lines[first + i - 1].text);
	}
}

/* Draws an array with its elements at the right; at the left both threads, the
 * counts, the barrier and the fix, as far as there is room. */
static void draw_marked(struct canvas *c, struct rect r,
			const struct frame_model *s)
{
	const struct defect_facts *f = s->scene->facts;
	int w = defect_marks_size((struct rect){ 0, 0, r.w - 39 - GAP,
						 r.h }, f).w;
	int low = f->meeting.known ? 10 : 0, deeds, fix;
	struct rect at = { r.x, r.y, r.w - w - GAP, 0 };

	defect_draw_marks(c, (struct rect){ r.x + r.w - w, r.y, w, r.h }, s);
	deeds = !s->scene->defect.other.known ? 3 : 6;
	if (r.h - low >= deeds + 5) {
		defect_draw_deeds(c, (struct rect){ at.x, at.y, at.w,
						    deeds }, s);
		at.y += deeds;
	}
	at.h = MIN(r.y + r.h - at.y - low, 2 + 2 * (int)f->count_count);
	if (!s->quiet)
		defect_draw_counts(c, (struct rect){ at.x, at.y, at.w,
						     at.h - 1 }, s);
	at.y += at.h;
	fix = defect_fix_rows(s->scene);
	if (fix && at.y + low + fix <= r.y + r.h) {
		defect_draw_fix(c, (struct rect){ at.x, at.y, at.w, fix }, s);
		at.y += fix + 1;
	}
	at.h = r.y + r.h - at.y;
	if (low)
		draw_threads(c, at, s);
	else if (at.h >= 6 && !s->quiet)
		draw_excerpt(c, at, s->scene);
}

/* Draws the tile, and counts and threads at its right; where there is room, the
 * whole before it. */
static void draw_medium(struct canvas *c, struct rect r,
			const struct frame_model *s)
{
	const struct defect_facts *f = s->scene->facts;
	bool more = r.w >= 112 && defect_has_whole(s->scene);
	int w = more ? (r.w - 2 * GAP) / 3 : (r.w - GAP) / 2;
	int low = f->meeting.known ? 9 : 0;
	struct rect at = { r.x, r.y, w, r.h };

	if (more) {
		defect_draw_whole(c, at, place_tile(at, w, f), s);
		at.x += w + GAP;
	}
	draw_subject(c, at, s);
	at.x += w + GAP;
	at.h = MIN(r.h - low - (low > 0), 1 + 3 * (int)f->count_count);
	if (!s->quiet)
		defect_draw_counts(c, at, s);
	at.y += at.h + 1;
	at.h = r.y + r.h - at.y;
	if (low)
		draw_threads(c, at, s);
}

/* Draws the source around the finding, and what is known of it at the right. */
static void draw_bare(struct canvas *c, struct rect r,
		      const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	int w = (r.w - GAP) * 6 / 10;
	struct rect at = { r.x + w + GAP, r.y, r.w - w - GAP, r.h };

	draw_excerpt(c, (struct rect){ r.x, r.y, w, r.h }, sc);
	defect_draw_deeds(c, at, s);
	at.y += 6;
	at.h -= 6;
	if (!s->quiet)
		defect_draw_counts(c, at, s);
	at.y += at.h = 2 + 3 * (int)sc->facts->count_count;
	at.h = r.y + r.h - at.y;
	if (sc->facts->meeting.known && at.h >= 9)
		draw_threads(c, at, s);
}

/* Draws the subject, the threads and the counts side by side, small. */
static void draw_small(struct canvas *c, struct rect r,
		       const struct frame_model *s)
{
	const struct defect_facts *f = s->scene->facts;
	int w = (r.w - 2 * GAP) * (f->meeting.known ? 3 : 4) / 10;
	struct rect at = { r.x, r.y, w, r.h };

	draw_subject(c, at, s);
	at.x += w + GAP;
	if (f->meeting.known) {
		draw_threads(c, at, s);
		at.x += w + GAP;
	}
	at.w = r.x + r.w - at.x;
	if (!s->quiet)
		defect_draw_counts(c, at, s);
}

/* Returns a caveat of what the recorder does, or NULL. */
static const char *caveat_words(const struct defect *d)
{
	return d->finding->kind == FINDING_OUT_OF_BOUNDS ?
	       _("The recorder stops a thread there; a GPU may go on with "
		 "whatever lies there.") : NULL;
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const char *caveat = caveat_words(&s->scene->defect);

	r.x++;
	r.w -= 2;
	draw_headline(c, r, s);
	r.y += 1;
	r.h -= 1;
	if (!s->scene->facts)
		return;
	if (caveat && !s->quiet)
		canvas_text(c, r.x, r.y, r.w, caveat, INK(ROLE_DIM));
	if (caveat || r.h > 17) {
		r.y++;
		r.h--;
	}
	if (r.h >= 26 && r.w >= 112 && s->scene->facts->tile.array)
		draw_large(c, r, s);
	else if (!s->scene->facts->tile.array && !s->scene->facts->marks)
		draw_bare(c, r, s);
	else if (r.h >= 16 && s->scene->facts->marks)
		draw_marked(c, r, s);
	else if (r.h >= 16)
		draw_medium(c, r, s);
	else
		draw_small(c, r, s);
}

/* Adds the values that show the defect. */
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

static void words(struct str *out, const struct frame_model *s)
{
	const struct defect *d = &s->scene->defect;
	const struct defect_facts *f = s->scene->facts;
	char text[128] = "";

	str_addf(out, _("Defect %zu of %zu, %s. %s. "), d->index + 1,
		 d->count, defect_words(d->finding), d->sentence);
	add_values(out, d);
	if (!f)
		return;
	hang_words(text, sizeof(text), s->scene);
	if (text[0]) {
		str_add(out, lang_joint());
		str_addf(out, _("In short: %s."), text);
	}
	if (f->meeting.known) {
		str_add(out, lang_joint());
		str_addf(out, _("At the barrier of line %u %u threads of the "
				"block have come, %u are missing."),
			 f->meeting.line, f->meeting.come,
			 f->meeting.threads - f->meeting.come);
	}
	if (caveat_words(d))
		str_addf(out, "%s%s", lang_joint(), caveat_words(d));
}

static bool available(const struct frame_model *s)
{
	return s->scene && s->scene->defect.finding;
}

static enum view_rank rank(const struct scene *sc)
{
	return sc->finding ? RANK_STEP : RANK_NONE;
}

static bool has_others(const struct scene *sc)
{
	return sc->defect.count > 1;
}

static const struct view_key keys[] = {
	{ .keys = { 'd' }, .key = "d D", .word = N_("defect"),
	  .has = has_others },
};

const struct view view_defect = {
	.name = "defect",
	.title = N_("defect"),
	.help = N_("what the recorder found: who, what, where and when"),
	.pane = PANE_PICTURE,
	.wide = true,
	.lines = 1,
	.judges = true,
	.available = available,
	.rank = rank,
	.prepare = scene_defect_facts,
	.draw = draw,
	.words = words,
	.keys = keys,
	.key_count = LENGTH(keys),
};
