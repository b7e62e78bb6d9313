/*
 * Banks: a tile in shared memory, from which the words that a warp accesses fall
 * into the queues of its 32 banks; the height of a queue is the cost. Next to it
 * stands the same request at another pitch or swizzled, which keys choose;
 * below, what other pitches cost and what the race measured.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "scene/stage.h"
#include "viz/defect_words.h"
#include "viz/kit.h"
#include "viz/frame_model.h"
#include "viz/pictures/banks/bank_tile.h"
#include "viz/raster.h"

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

/* Returns how many wavefronts the scale has, which both halves of a pair share.
 * In a step with a question it does not depend on the answer. */
static int queue_scale(const struct frame_model *s)
{
	const struct scene *twin = banks_twin(s);
	int most = MAX(s->scene->banks->most, 4);

	most = twin ? MAX(most, twin->banks->most) : most;
	return !s->lesson.text_count ? most : most > 8 ? BANKS : 8;
}

/* Returns how many rows of a tile there is room for, likewise. */
static uint32_t tile_scale(const struct frame_model *s)
{
	const struct scene *twin = banks_twin(s);
	uint32_t rows = bank_tile_rows(s->scene).count;

	return twin ? MAX(rows, bank_tile_rows(twin).count) : rows;
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
			 undoes_swizzle(sc) ? _("rows of %u, without swizzle") :
					      _("rows of %u, swizzled"),
			 l->pitch);
	else if (now && undoes_swizzle(sc))
		snprintf(title, size, _("rows of %u, swizzled: as it is"),
			 l->pitch);
	else
		snprintf(title, size, now ? _("rows of %u, as it is") :
			 _("rows of %u"), l->pitch);
	if (l->swizzled && !undoes_swizzle(sc))
		snprintf(note, note_size, _("column ^ row"));
	else if (a->rank == 2)
		snprintf(note, note_size, "%s[%llu][%u]", a->name,
			 (unsigned long long)a->dims[0], l->pitch);
	else
		snprintf(note, note_size, "%s", a->name);
}

/* Draws the frame with its title and note; unframed, a row, in which a count
 * may stand in place of the note. Returns the rectangle inside. */
static struct rect draw_layout_frame(struct canvas *c, struct rect r,
				     bool framed, const char *title,
				     const char *note, bool now)
{
	if (framed) {
		r = canvas_frame(c, r, title, note, now);
		return (struct rect){ r.x + 1, r.y, r.w - 2, r.h };
	}
	canvas_text(c, r.x + 1, r.y, r.w - 2, title, INK_BOLD(ROLE_STRONG));
	if (text_width(title) + text_width(note) + 4 <= r.w)
		canvas_right(c, r.x, r.y, r.w - 1, note, INK(ROLE_DIM));
	return (struct rect){ r.x + 1, r.y + 1, r.w - 1, r.h - 1 };
}

/* The rows from which on the formula has a row, and the picture a frame. */
#define FORMULA_ROWS 14
#define FRAME_ROWS 24

/* Draws in the first row how the bank follows from the lane. Returns the rest of
 * the rectangle, which is the same in both halves of a pair, and while a
 * question is open. */
static struct rect draw_formula(struct canvas *c, struct rect r,
				const struct frame_model *s,
				const struct banks_layout *l)
{
	char line[160];
	bool says = bank_formula(line, sizeof(line), l);

	if (r.h < FORMULA_ROWS)
		return r;
	if (says && text_width(line) > r.w)
		bank_formula_short(line, sizeof(line), l);
	if (says && !s->quiet)
		canvas_text(c, r.x, r.y, r.w, line, INK(ROLE_TEXT));
	return (struct rect){ r.x, r.y + 1, r.w, r.h - 1 };
}

/* Returns why lanes wait, or why none does. */
static const char *reading(const struct scene *sc, const struct banks_layout *l)
{
	if (sc->finding)
		return "";
	if (l->waiting)
		return _("Words fall straight down: what stands in one column "
			 "queues at one bank.");
	if (l->passes > 1)
		return _("Wide accesses come in passes: in none do two words "
			 "meet.");
	return _("No two of the words stand in one column.");
}

static void draw_tile(struct canvas *c, struct rect r, const struct frame_model *s,
		      const struct banks_layout *l)
{
	const struct scene *sc = s->scene;
	char waits[160], words[64];
	struct bank_tile t = {
		.scene = sc, .layout = l, .most = queue_scale(s),
		.rows = tile_scale(s), .quiet = s->quiet, .t = s->t,
		.role = cost_role(sc, l), .words = words, .more = waits,
		.reading = reading(sc, l),
	};

	waiting_lanes_words(waits, sizeof(waits), sc, l);
	snprintf(words, sizeof(words), "%s",
		 ngettext("turn (wavefront)", "turns (wavefronts)",
			  (unsigned)bank_tile_served(l, s->t)));
	bank_tile_draw(c, draw_formula(c, r, s, l), &t);
}

/* Writes the count that stands in the title's row. */
static void count_words(char *buf, size_t size, const struct frame_model *s,
			const struct banks_layout *l)
{
	int served = bank_tile_served(l, s->t);

	snprintf(buf, size, ngettext("%d turn", "%d turns", (unsigned)served),
		 served);
}

static void draw_layout(struct canvas *c, struct rect r, const struct frame_model *s,
			const struct banks_layout *l, bool framed)
{
	const struct scene *sc = s->scene;
	char title[96], note[96], line[160];
	struct rect in;
	bool counts;

	layout_title(title, sizeof(title), note, sizeof(note), sc, l);
	counts = !framed && !s->quiet && l->valid &&
		 !bank_tile_has_side(r.w - 1);
	in = draw_layout_frame(c, r, framed, title, counts ? "" : note,
			       l == &sc->banks->now);
	if (!l->valid) {
		snprintf(line, sizeof(line),
			 _("Rows must be multiples of the %u bytes that a lane "
			   "accesses at once."), sc->access.bytes);
		prose_text(c, in, 0, line, INK(ROLE_BAD));
		return;
	}
	draw_tile(c, in, s, l);
	if (!counts)
		return;
	count_words(line, sizeof(line), s, l);
	canvas_right(c, r.x, r.y, r.w - 1, line, INK_BOLD(cost_role(sc, l)));
}

/* ---- the strip of pitches ---- */

#define STRIP_LABEL 8
#define STRIP_CELL 5

/* Returns the width of the strip of pitches. */
static int strip_width(void)
{
	return STRIP_LABEL + STRIP_CELL * BANKS_STRIP;
}

static void draw_pitch(struct canvas *c, int x, int y, const struct scene_banks *b,
		       int i)
{
	uint32_t pitch = b->strip[i].pitch;
	int n = b->strip[i].wavefronts;
	bool turned = pitch == b->turned.pitch;
	enum role role = n == b->now.cost.ideal_wavefronts ? ROLE_GOOD :
							     ROLE_BAD;
	double high = 2.0 * MAX(n, 0) / MAX(b->most, 1);
	struct raster g;
	char text[16];

	raster_begin(&g, (struct rect){ x + STRIP_CELL - 2, y, 1, 2 });
	if (n != NA)
		raster_box(&g, g.r.x, y + 2 - MAX(high, 0.125), 1, 2, role);
	raster_end(&g, c);
	snprintf(text, sizeof(text), "%u", pitch);
	canvas_right(c, x, y, STRIP_CELL - 2, text,
		     turned ? (struct ink){ ROLE_ON_HUE, role, ATTR_BOLD } :
		     pitch == b->now.pitch ? INK_BOLD(ROLE_STRONG) :
					     INK(ROLE_DIM));
	snprintf(text, sizeof(text), n == NA ? "-" : "%d", n);
	canvas_right(c, x, y + 1, STRIP_CELL - 2, text,
		     n == NA ? INK(ROLE_FAINT) : INK(role));
}

static void draw_strip(struct canvas *c, struct rect r, const struct scene *sc)
{
	const struct scene_banks *b = sc->banks;
	int shown = MIN(BANKS_STRIP, (r.w - STRIP_LABEL) / STRIP_CELL);
	int first = 0;

	while (first + shown < BANKS_STRIP &&
	       b->strip[first + shown - 1].pitch < b->turned.pitch)
		first++;
	canvas_text(c, r.x, r.y, STRIP_LABEL, _("rows of"), INK(ROLE_DIM));
	canvas_text(c, r.x, r.y + 1, STRIP_LABEL, _("turns"), INK(ROLE_DIM));
	for (int i = 0; i < shown; i++)
		draw_pitch(c, r.x + STRIP_LABEL + i * STRIP_CELL, r.y, b,
			   first + i);
}

/* ---- the race ---- */

/* Writes in two rows what the race measured: where and when, then the kernel and
 * those of its neighbours that there is room for. */
static void draw_race(struct canvas *c, struct rect r, const struct scene *sc)
{
	const struct banks_race *race = sc->banks_race;
	char head[160], text[96];
	int x = r.x, here = 0;

	snprintf(head, sizeof(head), _("measured, TFLOP/s, %s, %d\xc2\xb3"),
		 race->race.gpu, race->race.n);
	while (here < (int)race->count && !race->rows[here].here)
		here++;
	if (race->count < 2 || text_width(head) > r.w)
		return;
	canvas_text(c, r.x, r.y, r.w, head, INK(ROLE_DIM));
	for (int i = 0; i < (int)race->count; i++) {
		int k = (here + i) % (int)race->count;

		snprintf(text, sizeof(text), "%s %.3g", race->rows[k].label,
			 race->rows[k].flops / 1e12);
		if (x + text_width(text) > r.x + r.w)
			return;
		x += canvas_text(c, x, r.y + 1, -1, text,
				 i ? INK(ROLE_TEXT) : INK_BOLD(ROLE_STRONG)) + 3;
	}
}

/* ---- the picture ---- */

#define PAIR_WIDTH 74	/* two layouts beside each other need as much */
#define BELOW_ROWS 15	/* with fewer, nothing stands below the tiles */

/* Draws below the tiles: the pitches, and at their right the race. Returns the
 * rows used, the same in both halves of a pair and while a question is open. */
static int draw_below(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene *sc = s->scene, *twin = banks_twin(s);
	int used = r.h > FRAME_ROWS ? 3 : 2, left = 0;
	struct rect at = { r.x + 1, r.y + r.h - 2, r.w - 2, 2 };

	if (r.h < BELOW_ROWS || (!sc->banks->turns && !(twin && twin->banks->turns) &&
				 sc->banks_race->count < 2))
		return 0;
	if (s->quiet) {	/* its place is kept */
		canvas_text(c, at.x, at.y, at.w, _("answer first"),
			    INK(ROLE_DIM));
		return used;
	}
	if (sc->banks->turns) {
		draw_strip(c, at, sc);
		left = strip_width() + 2;
	}
	draw_race(c, (struct rect){ at.x + left, at.y, at.w - left, 2 }, sc);
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
	framed = r.h >= FRAME_ROWS;
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
	.help = N_("what stands in one column of the tile queues at one bank"),
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
