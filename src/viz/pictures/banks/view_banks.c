/*
 * Bank towers: the words that a warp accesses in shared memory fall into its 32
 * banks, and the height is the cost. Next to it stands the same request at
 * another pitch or swizzled, which keys choose; below, what other pitches cost
 * and what the race measured.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "scene/stage.h"
#include "viz/defect_words.h"
#include "viz/kit.h"
#include "viz/frame_model.h"
#include "viz/pictures/banks/towers.h"

static bool is_good(const struct banks_layout *l)
{
	return l->cost.wavefronts == l->cost.ideal_wavefronts;
}

/* Returns the colour of the cost: a fast request with a finding is not good. */
static enum role cost_role(const struct scene *sc, const struct banks_layout *l)
{
	return !is_good(l) ? ROLE_BAD : sc->finding ? ROLE_WARN : ROLE_GOOD;
}

static void waiting_lanes_words(char *buf, size_t size, const struct scene *sc,
				const struct banks_layout *l)
{
	int waiting = __builtin_popcount(l->waiting);

	if (sc->finding)
		snprintf(buf, size, "%s", defect_words(sc->finding));
	else if (!waiting)
		snprintf(buf, size, "%s", _("no lane waits"));
	else
		snprintf(buf, size, ngettext("%d lane waits", "%d lanes wait",
					     (unsigned)waiting), waiting);
}

/* Returns the other half's banks; NULL: there are none. */
static const struct scene *banks_twin(const struct frame_model *s)
{
	return s->twin && s->twin->site && s->twin->costs && s->twin->banks ?
		       s->twin : NULL;
}

/* Returns how many wavefronts the scale has, which both halves of a pair
 * share. */
static int told_scale(const struct frame_model *s)
{
	const struct scene *twin = banks_twin(s);
	int most = MAX(s->scene->banks->most, 4);

	return twin ? MAX(most, twin->banks->most) : most;
}

/* Returns the same; while a question is open, as many as there can be. */
static int tower_scale(const struct frame_model *s)
{
	return s->quiet ? BANKS : told_scale(s);
}

/* ---- one layout ---- */

/* Writes "lane", "32 * lane", "lane + 4"; as a part of a term with brackets:
 * "(32 * lane + 4)". */
struct term_text {
	char text[64];
};

static struct term_text lane_term(int64_t step, int64_t first, bool part)
{
	char times[24] = "", plus[32] = "";
	struct term_text t;

	part = part && first;
	if (step != 1)
		snprintf(times, sizeof(times), "%lld * ", (long long)step);
	if (first)
		snprintf(plus, sizeof(plus), " + %lld", (long long)first);
	snprintf(t.text, sizeof(t.text), "%s%s%s%s%s", part ? "(" : "", times,
		 _("lane"), plus, part ? ")" : "");
	return t;
}

/* Writes how the bank follows from the lane: "word 32 * lane + 16: bank 16,
 * always". Returns false if it does not follow linearly. */
static bool bank_formula(char *buf, size_t size, const struct banks_layout *l)
{
	int64_t step = l->step % BANKS, first = l->first % BANKS;

	if (!l->affine || l->step < 0)
		return false;
	if (!l->step)
		snprintf(buf, size, _("all lanes access word %lld, bank %lld"),
			 (long long)l->first, (long long)first);
	else if (!step)
		snprintf(buf, size, _("word %s: bank %lld, always"),
			 lane_term(l->step, l->first, false).text,
			 (long long)first);
	else
		snprintf(buf, size, _("word %s: bank %s mod 32"),
			 lane_term(l->step, l->first, false).text,
			 lane_term(step, first, true).text);
	return true;
}

/* Writes the bank alone, where there is little room. */
static void bank_formula_short(char *buf, size_t size,
			       const struct banks_layout *l)
{
	int64_t step = l->step % BANKS, first = l->first % BANKS;

	if (!step)
		snprintf(buf, size, _("each lane: bank %lld"), (long long)first);
	else
		snprintf(buf, size, _("bank %s mod 32"),
			 lane_term(step, first, true).text);
}

/* Tells whether the swizzle undoes one of the kernel's own: an irregular
 * pattern that gets conflicts when swizzled has been swizzled already. */
static bool undoes_swizzle(const struct scene *sc)
{
	const struct scene_banks *b = sc->banks;

	return sc->pattern.kind == PATTERN_IRREGULAR && b->turned.swizzled &&
	       b->turned.cost.wavefronts > b->now.cost.wavefronts;
}

static void layout_title(char *title, size_t size, char *note, size_t note_size,
			 const struct scene *sc, const struct banks_layout *l)
{
	const struct trace_array *a = sc->array;
	bool now = l == &sc->banks->now;

	if (!l->pitch)
		request_words(title, size, sc);
	else if (l->swizzled)
		snprintf(title, size,
			 undoes_swizzle(sc) ? _("pitch %u, without swizzle") :
					      _("pitch %u, swizzled"),
			 l->pitch);
	else if (now && undoes_swizzle(sc))
		snprintf(title, size, _("pitch %u, swizzled: as it is"),
			 l->pitch);
	else
		snprintf(title, size, now ? _("pitch %u, as it is") :
			 _("pitch %u"), l->pitch);
	if (l->swizzled && !undoes_swizzle(sc))
		snprintf(note, note_size, _("column ^ row"));
	else if (a->rank == 2)
		snprintf(note, note_size, "%s[%llu][%u]", a->name,
			 (unsigned long long)a->dims[0], l->pitch);
	else
		snprintf(note, note_size, "%s", a->name);
}

/* Draws the frame with its title and note; unframed, a row. Returns the
 * rectangle inside. */
static struct rect draw_layout_frame(struct canvas *c, struct rect r,
				     bool framed, const char *title,
				     const char *note, bool now)
{
	if (framed) {
		r = canvas_frame(c, r, title, note, now);
		return (struct rect){ r.x + 1, r.y, r.w - 2, r.h };
	}
	canvas_text(c, r.x, r.y, r.w - 1, title, INK_BOLD(ROLE_STRONG));
	if (text_width(title) + text_width(note) + 3 <= r.w)
		canvas_right(c, r.x, r.y, r.w - 1, note, INK(ROLE_DIM));
	return (struct rect){ r.x, r.y + 1, r.w, r.h - 1 };
}

/* Draws in the first row how the bank follows from the lane. Returns the rest of
 * the rectangle, which is the same in both halves of a pair. */
static struct rect draw_formula(struct canvas *c, struct rect r,
				const struct frame_model *s,
				const struct banks_layout *l)
{
	char line[160];
	bool says = bank_formula(line, sizeof(line), l);

	if (r.h <= towers_rows(tower_scale(s)) || s->quiet ||
	    (!says && !banks_twin(s)))
		return r;
	if (says && text_width(line) > r.w)
		bank_formula_short(line, sizeof(line), l);
	if (says)
		canvas_text(c, r.x, r.y, r.w, line, INK(ROLE_TEXT));
	return (struct rect){ r.x, r.y + 1, r.w, r.h - 1 };
}

static void draw_layout(struct canvas *c, struct rect r, const struct frame_model *s,
			const struct banks_layout *l, bool framed)
{
	const struct scene *sc = s->scene;
	char title[96], note[96], line[160], words[64];
	struct towers t = {
		.layout = l,
		.lanes = sc->request.mask,
		.focus = sc->focus_lanes & sc->request.mask,
		.others = sc->cursor.focus != FOCUS_LANE,
		.most = tower_scale(s),
		.t = s->quiet ? 0 : s->t,
		.role = cost_role(sc, l),
	};

	layout_title(title, sizeof(title), note, sizeof(note), sc, l);
	r = draw_layout_frame(c, r, framed, title, note, l == &sc->banks->now);
	if (!l->valid) {
		snprintf(line, sizeof(line),
			 _("Rows must be multiples of the %u bytes that a lane "
			   "accesses at once."), sc->access.bytes);
		prose_text(c, r, 0, line, INK(ROLE_BAD));
		return;
	}
	r = draw_formula(c, r, s, l);
	waiting_lanes_words(line, sizeof(line), sc, l);
	snprintf(words, sizeof(words), "%s",
		 ngettext("turn (wavefront)", "turns (wavefronts)",
			  (unsigned)l->cost.wavefronts));
	t.words = s->quiet ? NULL : words;
	t.more = line;
	if (!s->quiet && l == &sc->banks->now)
		t.reading = _("Each column is a bank of shared memory, which "
			      "gives one word a turn: words of one bank "
			      "queue.");
	towers_draw(c, r, &t);
}

/* ---- the strip of pitches ---- */

#define STRIP_LABEL 12

static void draw_strip(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene_banks *b = s->scene->banks;
	int cell = r.w >= STRIP_LABEL + 6 * BANKS_STRIP ? 6 : 5;
	int shown = MIN(BANKS_STRIP, (r.w - STRIP_LABEL) / cell);
	int first = 0;

	while (first + shown < BANKS_STRIP &&
	       b->strip[first + shown - 1].pitch < b->turned.pitch)
		first++;
	canvas_text(c, r.x, r.y, STRIP_LABEL, _("pitch"), INK(ROLE_DIM));
	canvas_text(c, r.x, r.y + 1, STRIP_LABEL, _("wavefronts"),
		    INK(ROLE_DIM));
	for (int i = 0; i < shown; i++) {
		uint32_t pitch = b->strip[first + i].pitch;
		int n = b->strip[first + i].wavefronts;
		bool turned = pitch == b->turned.pitch;
		bool good = n == b->now.cost.ideal_wavefronts;
		enum role role = good ? ROLE_GOOD : ROLE_BAD;
		int x = r.x + STRIP_LABEL + i * cell;
		char text[16];

		snprintf(text, sizeof(text), " %u ", pitch);
		canvas_right(c, x, r.y, cell, text, turned ?
			     (struct ink){ ROLE_ON_HUE, role, ATTR_BOLD } :
			     pitch == b->now.pitch ? INK_BOLD(ROLE_STRONG) :
						     INK(ROLE_TEXT));
		snprintf(text, sizeof(text), n == NA ? "- " : "%d ", n);
		canvas_right(c, x, r.y + 1, cell, text,
			     n == NA ? INK(ROLE_FAINT) :
			     turned ? INK_BOLD(role) : INK(role));
	}
}

/* ---- the race ---- */

static void draw_race(struct canvas *c, struct rect r, const struct scene *sc)
{
	const struct banks_race *race = sc->banks_race;
	int name = 0, bar;
	double most = 0;
	char note[128];

	snprintf(note, sizeof(note), r.w < 60 ? "TFLOP/s" :
		 _("TFLOP/s, %s, %d\xc2\xb3"), race->race.gpu, race->race.n);
	r = canvas_frame(c, r, _("what the race measured"), note, false);
	r.x++;
	r.w -= 2;
	for (size_t i = 0; i < race->count; i++) {
		name = MAX(name, text_width(race->rows[i].label));
		most = MAX(most, race->rows[i].flops);
	}
	name = MIN(name, r.w / 2);
	bar = r.w - name - 8;
	for (int i = 0; i < (int)race->count && i < r.h; i++) {
		bool here = race->rows[i].here;

		kit_label(c, r.x, r.y + i, name, race->rows[i].label, true,
			  here ? INK_BOLD(ROLE_ACCENT) : INK(ROLE_TEXT));
		kit_bar(c, r.x + name + 1, r.y + i, bar,
			race->rows[i].flops / most,
			here ? ROLE_ACCENT : ROLE_OWN, ROLE_NONE);
		canvas_textf(c, r.x + name + 2 + bar, r.y + i, 6,
			     here ? INK_BOLD(ROLE_STRONG) : INK(ROLE_TEXT),
			     "%.3g", race->rows[i].flops / 1e12);
	}
}

/* ---- the picture ---- */

#define PAIR_WIDTH 74	/* two layouts beside each other need as much */

/* Returns the rows below a scene's towers: for the pitches and the race, for a
 * strip of pitches, or none. */
static int count_below(struct rect r, const struct frame_model *s,
		       const struct scene *sc)
{
	int spare = r.h - towers_rows(MAX(told_scale(s), 8)) - 2;
	int rows = sc->banks_race->count > 1 ? (int)sc->banks_race->count : 2;

	if (spare >= rows + 2 && r.w >= PAIR_WIDTH)
		return rows + 2;
	return spare < 2 || !sc->banks->turns || r.w < STRIP_LABEL + 20 ? 0 : 2;
}

/* Draws below the towers: the pitches at the right, the race at the left.
 * Returns the rows used, the same in both halves of a pair. */
static int draw_below(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene *sc = s->scene, *twin = banks_twin(s);
	const struct scene_banks *b = sc->banks;
	int rows = count_below(r, s, sc);
	int used = twin ? MAX(rows, count_below(r, s, twin)) : rows;
	struct rect at = { r.x, r.y + r.h - rows, r.w / 2, rows };

	if (rows < 3) {
		if (rows && !s->quiet)
			draw_strip(c, (struct rect){ r.x, at.y, r.w, rows }, s);
		return used;
	}
	if (s->quiet) {	/* its place is kept */
		canvas_frame(c, (struct rect){ r.x, at.y, r.w, rows },
			     _("answer first"), NULL, false);
		return used;
	}
	if (sc->banks_race->count < 2)
		at.w = 0;
	else
		draw_race(c, at, sc);
	at = (struct rect){ r.x + at.w, at.y, r.w - at.w, at.h };
	at = canvas_frame(c, at, b->turns ? _("other pitches") :
			  _("nothing to turn"), b->turns ? ", .   ^" : NULL,
			  false);
	at.x++;
	at.w -= 2;
	if (b->turns)
		draw_strip(c, at, s);
	if (b->turns && !b->same && at.h > 2)
		canvas_textf(c, at.x, at.y + 2, at.w, INK(ROLE_WASTE),
			     "\xc2\xb7 %s",
			     _("a bank is idle while lanes wait"));
	if (b->turns && b->same && at.h > 2)
		canvas_text(c, at.x, at.y + 2, at.w,
			    _("Every pitch is as good for this request."),
			    INK(ROLE_TEXT));
	if (!b->turns)
		prose_text(c, at, 0, _("The lanes stand in one row: no pitch "
				       "changes anything."), INK(ROLE_TEXT));
	return used;
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	const struct scene_banks *b = sc->banks;
	bool framed, pair;
	int left;

	if (!sc->site || !sc->costs || !b) {	/* misaligned, it says */
		if (sc->sentence)
			prose_fit(c, r, sc->sentence, INK(ROLE_TEXT));
		return;
	}
	r.h -= draw_below(c, r, s);
	framed = r.h >= towers_rows(told_scale(s)) + 2;
	pair = b->turns && r.w >= PAIR_WIDTH;
	left = pair ? r.w / 2 : r.w;
	draw_layout(c, (struct rect){ r.x, r.y, left, r.h }, s, &b->now,
		    framed);
	/* While a question is open, another pitch might answer it. */
	if (pair && s->quiet)
		draw_layout_frame(c, (struct rect){ r.x + left, r.y,
						    r.w - left, r.h }, framed,
				  _("answer first"), "", false);
	else if (pair)
		draw_layout(c, (struct rect){ r.x + left, r.y, r.w - left,
					      r.h }, s, &b->turned, framed);
}

static enum view_rank rank(const struct scene *sc)
{
	return sc->array && sc->array->space == SPACE_SHARED &&
	       op_is_access(sc->site->op) ? RANK_STEP : RANK_NONE;
}

/* Other steps do not access the banks. */
static bool available(const struct frame_model *s)
{
	return s->scene && s->scene->site && rank(s->scene);
}

static void prepare(struct stage *s, const struct turns *t)
{
	scene_banks(s, t->pitch, t->swizzle);
}

static void words(struct str *out, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	const struct scene_banks *b = sc->banks;
	const struct banks_race *race = sc->banks_race;

	if (!b)
		return;
	if (b->turns && b->turned.valid && b->turned.swizzled)
		str_addf(out, ngettext("Swizzled, with rows of %u elements, it "
				       "would cost %d wavefront.",
				       "Swizzled, with rows of %u elements, it "
				       "would cost %d wavefronts.",
				       (unsigned)b->turned.cost.wavefronts),
			 b->turned.pitch, b->turned.cost.wavefronts);
	else if (b->turns && b->turned.valid)
		str_addf(out, ngettext("With rows of %u elements it would cost "
				       "%d wavefront.",
				       "With rows of %u elements it would cost "
				       "%d wavefronts.",
				       (unsigned)b->turned.cost.wavefronts),
			 b->turned.pitch, b->turned.cost.wavefronts);
	for (size_t i = 0; race && race->count > 1 && i < race->count; i++)
		str_addf(out, i ? _(", %s %.3g") :
			 _(" Measured, in TFLOP/s: %s %.3g"),
			 race->rows[i].label, race->rows[i].flops / 1e12);
	if (race && race->count > 1)
		str_addf(out, _(" (%s, %d\xc2\xb3)."), race->race.gpu,
			 race->race.n);
}

static void turn_pitch(struct turns *t, const struct scene *sc, int by)
{
	if (!sc->banks || !sc->banks->turns)
		return;
	if (by < 0 && sc->banks->turned.pitch <= sc->banks->least)
		return;
	t->pitch += by;
}

static void turn_swizzle(struct turns *t, const struct scene *sc, int by)
{
	(void)sc;
	(void)by;
	t->swizzle = !t->swizzle;
	t->pitch = 0;
}

static const struct view_key keys[] = {
	{ .keys = { '.', '>' }, .key = ", .", .word = N_("pitch"),
	  .help = N_("another pitch of the shared array: shorter, longer "
		     "rows"), .turn = turn_pitch, .by = 1 },
	{ .keys = { ',', '<' }, .turn = turn_pitch, .by = -1 },
	{ .keys = { '^' }, .key = "^", .word = N_("swizzle"),
	  .help = N_("the same with a swizzle in place of padding"),
	  .turn = turn_swizzle },
};

const struct view view_banks = {
	.name = "banks",
	.title = N_("banks"),
	.help = N_("shared memory's banks, a row per wavefront"),
	.pane = PANE_PICTURE,
	.wide = true,
	.available = available,
	.rank = rank,
	.prepare = prepare,
	.of_request = true,
	.draw = draw,
	.words = words,
	.keys = keys,
	.key_count = LENGTH(keys),
};
