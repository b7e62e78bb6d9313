/*
 * view_shuffle: a warp's shuffles as a funnel: lanes across, a row of values
 * after each shuffle, and ribbons from the lanes that are read to those that
 * read.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "viz/frame_model.h"
#include "viz/kit.h"
#include "viz/pictures/shuffle/scene_shuffle.h"
#include "viz/raster.h"

#define WIDE 118	/* columns for 32 lanes with values */
#define CELL_MOST 6
#define GAP_MOST 4	/* rows of ribbons */
#define PART_ROWS 3
#define STEP_SECONDS 1.2

/* ---- where things are ---- */

struct funnel_plan {
	const struct frame_model *s;
	const struct shuffles *h;
	int x, label, cell, note;	/* columns */
	int first, lanes;	/* those drawn */
	int head, y, gap;	/* rows above; the first row of values; rows of
				 * ribbons */
	int parts;		/* the first row of the block's part, or 0 */
	double done;		/* steps that are over */
};

/* Returns the first of 16 lanes: those of the half whose values count most. */
static int find_half(const struct shuffles *h)
{
	uint32_t needed = h->row[h->fold.count].needed;

	return __builtin_popcount(needed >> 16) >
	       __builtin_popcount(needed & 0xffff) ? 16 : 0;
}

/* Returns how many steps are over. */
static double steps_done(const struct frame_model *s, const struct shuffles *h)
{
	int n = h->fold.count, turn = s->turns.shuffle;

	if (s->quiet)
		return 0;
	turn = (turn % (n + 1) + n + 1) % (n + 1);
	return turn ? turn - 1 + s->t : s->t * n;
}

static struct funnel_plan plan_funnel(const struct frame_model *s,
				      struct rect r)
{
	const struct shuffles *h = s->scene->shuffles;
	struct funnel_plan p = { .s = s, .h = h, .lanes = WARP_LANES };
	const struct shuffles *twin = s->twin ? s->twin->shuffles : NULL;
	/* A pair has the steps of the longer one. */
	int n = MAX(h->fold.count, twin ? twin->fold.count : 0), rows;

	p.label = r.w >= WIDE ? 12 : 8;
	p.note = r.w >= WIDE ? 10 : 4;
	if (r.w < WIDE) {
		p.first = find_half(h);
		p.lanes = WARP_LANES / 2;
	}
	p.cell = MIN((r.w - p.label - p.note) / p.lanes, CELL_MOST);
	p.x = r.x + p.label;
	/* With little room the source goes, then the lanes' numbers. */
	p.head = MAX(MIN(r.h - 1 - (2 * n + 1), 2), 0);
	p.y = r.y + p.head;
	rows = r.h - 1 - p.head;
	/* Of a result for each lane the last row tells all. */
	if (h->part_count &&
	    __builtin_popcount(h->row[h->fold.count].needed) == 1 &&
	    rows - (n + 1 + n) >= PART_ROWS)
		rows -= PART_ROWS;
	p.gap = MIN((rows - n) / n, GAP_MOST);
	if (p.gap >= 1 && rows < r.h - 1 - p.head)
		p.parts = p.y + (n + 1) + n * p.gap + 1;
	p.done = steps_done(s, h);
	return p;
}

static int funnel_y(const struct funnel_plan *p, int row)
{
	return p->y + row * (p->gap + 1);
}

static double funnel_x(const struct funnel_plan *p, uint32_t lane)
{
	return p->x + ((int)lane - p->first) * p->cell;
}

static bool is_lane_drawn(const struct funnel_plan *p, uint32_t lane)
{
	return (int)lane >= p->first && (int)lane < p->first + p->lanes;
}

/* ---- ribbons ---- */

static void draw_ribbon(struct raster *g, const struct funnel_plan *p, int step,
			uint32_t from, uint32_t to, enum role role)
{
	double a = funnel_x(p, from), b = funnel_x(p, to);
	struct raster_wedge w = {
		.a = { a, a + p->cell, funnel_y(p, step) + 1 },
		.b = { b, b + p->cell, funnel_y(p, step + 1) },
	};
	/* That of the focus is about a row thick, however flat it is. */
	double flat = MAX(fabs(b - a) / p->gap - p->cell, 0);

	if (role == ROLE_RIBBON_FOCUS && b < a) {
		w.a.from -= flat;
		w.b.to += flat;
	} else if (role == ROLE_RIBBON_FOCUS) {
		w.a.to += flat;
		w.b.from -= flat;
	}
	raster_wedge(g, &w, kit_act(p->done - step, 0, 0.8), role);
}

/* Draws whom the lanes of a step read from, and, with `focus`, the way of the
 * focused lane's value. */
static void draw_ribbons(struct raster *g, const struct funnel_plan *p,
			 int step, bool focus)
{
	const struct shuffles *h = p->h;
	const struct shuffle_step *k = &h->fold.step[step];
	uint32_t way = shuffle_way(h, step, p->s->scene->cursor.lane);

	for (int own = 1; own >= 0; own--)
		for (uint32_t to = 0; to < WARP_LANES; to++) {
			bool uses = k->uses >> to & 1;
			uint32_t from = own ? to : k->from[to];

			bool gone = !(h->fold.lanes >> from & 1);

			if (!(h->row[step + 1].needed >> to & 1) ||
			    (own ? uses && h->fold.use == USE_COPY :
				   !uses || from == to) ||
			    focus != (way >> from & 1))
				continue;
			draw_ribbon(g, p, step, from, to,
				    focus ? ROLE_RIBBON_FOCUS : gone ?
				    ROLE_WASTE : own ? ROLE_RIBBON :
				    raster_ribbon(from));
		}
}

static void draw_ribbon_bands(struct canvas *c, const struct funnel_plan *p)
{
	struct raster g;

	raster_begin(&g, (struct rect){ p->x, p->y, p->lanes * p->cell,
					funnel_y(p, p->h->fold.count) + 1 - p->y });
	for (int i = 0; i < p->h->fold.count && i < p->done; i++) {
		draw_ribbons(&g, p, i, false);
		draw_ribbons(&g, p, i, true);
	}
	raster_end(&g, c);
}

/* ---- values ---- */

static void value_figure(char *buf, size_t size, double v)
{
	snprintf(buf, size, "%.4g", v);
}

/* Returns whether the values of a row that reach the result have room. */
static bool fits_row(const struct funnel_plan *p, int row)
{
	const struct shuffle_row *k = &p->h->row[row];
	char text[32];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		value_figure(text, sizeof(text), k->value[lane]);
		if (k->needed >> lane & 1 && (int)strlen(text) > p->cell)
			return false;
	}
	return true;
}

/* Draws a lane's cell, with its value if the row's fit; ways: the lanes on the
 * focused value's way. */
static void draw_lane_value(struct canvas *c, const struct funnel_plan *p,
			    int row, uint32_t lane, uint32_t ways, bool fits)
{
	const struct shuffle_row *k = &p->h->row[row];
	int x = (int)funnel_x(p, lane), y = funnel_y(p, row);
	bool way = ways >> lane & 1;
	/* Two shades, so that neighbours differ. */
	bool second = way && lane % 2 && ways >> (lane - 1) & 1;
	enum role role = !(k->needed >> lane & 1) ? ROLE_FIELD :
			 k->undefined >> lane & 1 ? ROLE_WASTE :
			 second ? ROLE_RIBBON_FOCUS : way ? ROLE_CURSOR :
			 raster_lane(lane);
	struct ink ink = { ROLE_ON_HUE, (uint8_t)role, way ? ATTR_BOLD : 0 };
	char text[32];

	canvas_fill(c, (struct rect){ x, y, p->cell, 1 }, ' ', ink);
	if (!p->h->known || role == ROLE_FIELD)
		return;
	value_figure(text, sizeof(text), k->value[lane]);
	if (fits)
		canvas_right(c, x, y, p->cell, text, ink);
}

/* Writes the focused value over its neighbours' cells, which have none. */
static void draw_long_value(struct canvas *c, const struct funnel_plan *p,
			    int row, uint32_t way)
{
	uint32_t lane = (uint32_t)__builtin_ctz(way);
	int width, x = (int)funnel_x(p, lane), end = p->x + p->lanes * p->cell;
	char text[32];

	value_figure(text, sizeof(text), p->h->row[row].value[lane]);
	width = (int)strlen(text);
	x = MAX(MIN(x, end - width), p->x);
	canvas_text(c, x, funnel_y(p, row), width, text,
		    (struct ink){ ROLE_ON_HUE, ROLE_CURSOR, ATTR_BOLD });
}

static void draw_row(struct canvas *c, const struct funnel_plan *p, int row)
{
	const struct shuffles *h = p->h;
	uint32_t way = shuffle_way(h, row, p->s->scene->cursor.lane);
	int y = funnel_y(p, row), x = p->x + p->lanes * p->cell + 1;
	uint32_t n = (uint32_t)__builtin_popcount(h->row[row].needed);
	bool over = row <= p->done, fits = fits_row(p, row);
	struct ink ink = INK_BOLD(over ? ROLE_STRONG : ROLE_FAINT);

	if (!row)
		canvas_text(c, p->x - p->label, y, p->label - 1,
			    text_width(h->first) < p->label ? h->first :
			    h->fold.value, ink);
	else if (h->fold.loop[0])
		canvas_textf(c, p->x - p->label, y, p->label - 1, ink,
			     "%s = %lld", h->fold.loop,
			     (long long)h->fold.step[row - 1].by);
	else
		canvas_textf(c, p->x - p->label, y, p->label - 1, ink, "%d",
			     row);
	canvas_fill(c, (struct rect){ p->x, y, p->lanes * p->cell, 1 }, ' ',
		    INK_ON(ROLE_FAINT, ROLE_FIELD));
	if (!over || (p->s->quiet && row))
		return;
	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		if (is_lane_drawn(p, lane))
			draw_lane_value(c, p, row, lane, way, fits);
	if (h->known && !fits && way &&
	    is_lane_drawn(p, (uint32_t)__builtin_ctz(way)))
		draw_long_value(c, p, row, way);
	if (p->note >= 10)
		canvas_textf(c, x, y, p->note, INK(ROLE_DIM),
			     ngettext("%u value", "%u values", n), n);
	else
		canvas_textf(c, x, y, p->note, INK(ROLE_DIM), "%u", n);
}

static void draw_lane_axis(struct canvas *c, const struct funnel_plan *p)
{
	canvas_text(c, p->x - p->label, p->y - 1, p->label - 1, _("lane"),
		    INK(ROLE_DIM));
	for (int i = 0; i < p->lanes; i++) {
		uint32_t lane = (uint32_t)(p->first + i);
		char text[8];

		snprintf(text, sizeof(text), "%u", lane);
		canvas_right(c, (int)funnel_x(p, lane), p->y - 1, p->cell, text,
			     lane == p->s->scene->cursor.lane ?
			     INK_BOLD(ROLE_CURSOR) : INK(ROLE_DIM));
	}
}

/* ---- words ---- */

/* Writes whom a lane reads from, as the source says it. */
static void shuffle_reader_words(char *buf, size_t size, const struct shuffles *h)
{
	const struct shuffle_fold *f = &h->fold;
	static const char sign[] = { [HOW_UP] = '-', [HOW_DOWN] = '+',
				     [HOW_XOR] = '^' };
	char by[SHUFFLE_NAME];

	if (f->loop[0])
		snprintf(by, sizeof(by), "%s", f->loop);
	else
		snprintf(by, sizeof(by), "%lld", (long long)f->step[0].by);
	if (f->how == HOW_INDEX)
		snprintf(buf, size, _("lane l gets %s of the lane that is named"),
			 f->value);
	else
		snprintf(buf, size, _("lane l gets %s of lane l %c %s"),
			 f->value, sign[f->how], by);
}

static void draw_shuffle_line(struct canvas *c, struct rect r,
			     const struct shuffles *h, const struct source *src)
{
	uint32_t line = h->fold.line;
	char words[128];
	int x = r.x;

	if (!line || line > src->count)
		return;
	x += canvas_textf(c, x, r.y, r.w, (struct ink){ ROLE_ON_HUE,
			  ROLE_ACCENT, ATTR_BOLD }, " %u ", line) + 1;
	shuffle_reader_words(words, sizeof(words), h);
	x += canvas_text(c, x, r.y, r.w - 4,
			 src->lines[line - 1].text +
			 strspn(src->lines[line - 1].text, " "),
			 INK_BOLD(ROLE_STRONG)) + 2;
	kit_whole(c, x, r.y, r.x + r.w - x, words, INK(ROLE_TEXT));
}

/* Returns whether what a lane gets halves the values with each step. */
static bool is_funnel(const struct shuffles *h)
{
	int n = h->fold.count;

	if (h->fold.use == USE_COPY || h->fold.use == USE_OTHER)
		return false;
	for (int i = 0; i < n; i++)
		if (__builtin_popcount(h->row[i].needed) !=
		    2 * __builtin_popcount(h->row[i + 1].needed))
			return false;
	return n > 0;
}

/* Writes what the values are that the last row has. */
static const char *result_word(const struct shuffles *h)
{
	return h->fold.use == USE_ADD ? _("the sum") :
	       h->fold.use == USE_MAX ? _("the largest") :
	       h->fold.use == USE_MIN ? _("the smallest") : _("the result");
}

/* Tells from which lane all read; false: from several. */
static bool is_one_source(const struct shuffles *h)
{
	const struct shuffle_step *s = &h->fold.step[0];

	for (int l = 1; l < WARP_LANES; l++)
		if (s->from[l] != s->from[0])
			return false;
	return h->fold.count == 1;
}

static void funnel_words(struct str *out, const struct shuffles *h)
{
	int n = h->fold.count;
	uint32_t last = (uint32_t)__builtin_ctz(h->row[n].needed | 1u << 31);
	char text[32];

	str_add(out, h->fold.how == HOW_XOR ?
		_("Each shuffle folds one half onto the other: ") :
		_("Each shuffle folds the upper half onto the lower: "));
	for (int i = 0; i <= n; i++)
		str_addf(out, i ? ", %d" : _("%d values"),
			 __builtin_popcount(h->row[i].needed));
	str_addf(out, _("; lane %u has %s"), last, result_word(h));
	value_figure(text, sizeof(text), h->row[n].value[last]);
	if (h->known)
		str_addf(out, _(", %s (computed)"), text);
	str_add(out, _("."));
}

/* Returns the lanes that are read from though they do not take part. */
static uint32_t find_gone(const struct shuffles *h)
{
	uint32_t gone = 0;

	for (int i = 0; i < h->fold.count; i++)
		for (uint32_t lane = 0; lane < WARP_LANES; lane++)
			if (h->row[i + 1].needed >> lane & 1 &&
			    h->fold.step[i].uses >> lane & 1)
				gone |= 1u << h->fold.step[i].from[lane];
	return gone & ~h->fold.lanes;
}

/* Writes the picture's sentence. */
static void shuffle_sentence(struct str *out, const struct shuffles *h)
{
	int n = h->fold.count, gone = __builtin_popcount(find_gone(h));

	if (gone)
		str_addf(out, ngettext("Lanes read from %d lane that has "
				       "left: what they get is undefined.",
				       "Lanes read from %d lanes that have "
				       "left: what they get is undefined.",
				       (unsigned)gone), gone);
	else if (is_funnel(h))
		funnel_words(out, h);
	else if (h->fold.how == HOW_XOR && h->fold.use < USE_OTHER &&
		 h->fold.use > USE_COPY &&
		 h->row[n].needed == h->fold.lanes)
		str_addf(out, ngettext("Lanes exchange what they have: after "
				       "%d shuffle each has %s of %d lanes.",
				       "Lanes exchange what they have: after "
				       "%d shuffles each has %s of %d lanes.",
				       (unsigned)n), n, result_word(h),
			 1 << MIN(n, 5));
	else if (h->fold.how == HOW_UP && h->fold.use == USE_ADD)
		str_addf(out, ngettext("Each lane adds what a lower one has: "
				       "after %d shuffle lane l has the sum of "
				       "up to %d lanes.",
				       "Each lane adds what a lower one has: "
				       "after %d shuffles lane l has the sum "
				       "of up to %d lanes.", (unsigned)n), n,
			 1 << MIN(n, 5));
	else if (is_one_source(h))
		str_addf(out, _("All lanes get what lane %u has: one shuffle."),
			 h->fold.step[0].from[0]);
	else
		str_add(out, _("Each lane gets what another lane has, without "
			       "shared memory."));
}

/* Writes where the values come from, or why there are none. */
static void value_caveat(char *buf, size_t size, const struct shuffles *h)
{
	uint32_t gone = find_gone(h);

	if (gone)
		snprintf(buf, size,
			 ngettext("Red: %d lane has left. What is read is "
				  "undefined; here: the reader's own.",
				  "Red: %d lanes have left. What is read is "
				  "undefined; here: the reader's own.",
				  (unsigned)__builtin_popcount(gone)),
			 __builtin_popcount(gone));
	else if (h->known)
		snprintf(buf, size, _("Computed from the recorded loads; "
				      "the store in line %u agrees."), h->stored_line);
	else if (h->disagree)
		snprintf(buf, size, _("No values: those computed from the loads "
				      "differ from the store in line %u."),
			 h->stored_line);
	else if (h->fold.use == USE_OTHER)
		snprintf(buf, size, _("No values: what line %u does with them "
				      "is not understood."), h->fold.line);
	else
		snprintf(buf, size, "%s", _("No values: the recorded loads and "
					    "stores do not tell them."));
}

/* ---- the block's part ---- */

static void draw_parts(struct canvas *c, const struct funnel_plan *p,
		       struct rect r)
{
	const struct shuffles *h = p->h;
	const struct trace_array *a =
		&p->s->scene->info->arrays[h->stored_array];
	int x = p->x, y = p->parts, w = 4;
	char text[64];

	for (int i = 0; i < h->part_count; i++) {
		value_figure(text, sizeof(text), h->part[i].value);
		w = MAX(w, (int)strlen(text));
	}

	snprintf(text, sizeof(text), h->part_count > 1 ? "%s[%llu..]" :
		 "%s[%llu]", a->name, (unsigned long long)h->part[0].element);
	canvas_text(c, r.x, y, p->label - 1, text_width(text) < p->label ?
		    text : a->name, INK_BOLD(ROLE_STRONG));
	for (int i = 0; i < h->part_count; i++) {
		const struct shuffle_result *k = &h->part[i];

		value_figure(text, sizeof(text), k->value);
		if (x + w > r.x + r.w)
			break;
		canvas_fill(c, (struct rect){ x, y, w, 1 }, ' ',
			    INK_ON(ROLE_ON_HUE, k->own ? ROLE_CURSOR :
							 ROLE_BEFORE));
		canvas_right(c, x, y, w, text, (struct ink){ ROLE_ON_HUE,
			     k->own ? ROLE_CURSOR : ROLE_BEFORE,
			     k->own ? ATTR_BOLD : 0 });
		x += w + 1;
	}
	canvas_textf(c, p->x, y + 1, r.x + r.w - p->x, INK(ROLE_TEXT),
		     a->space == SPACE_SHARED ?
		     _("line %u: each warp stores its result in shared "
		       "memory") : _("line %u: the result is stored"),
		     h->stored_line);
}

/* ---- the picture ---- */

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct shuffles *h = s->scene->shuffles;
	struct funnel_plan p;
	char text[192];

	r.x++;
	r.w -= 2;
	if (!h || !h->found) {
		prose_text(c, r, 0, _("This kernel's shuffles are not "
				      "understood."), INK(ROLE_DIM));
		return;
	}
	p = plan_funnel(s, r);
	if (p.head > 1 || p.gap < 1)
		draw_shuffle_line(c, r, h, s->scene->source);
	value_caveat(text, sizeof(text), h);
	if (!s->quiet)
		canvas_text(c, r.x, r.y + r.h - 1, r.w, text, INK(ROLE_DIM));
	if (p.gap < 1 || p.cell < 2)
		return;
	if (p.head > 0)
		draw_lane_axis(c, &p);
	draw_ribbon_bands(c, &p);
	for (int i = 0; i <= h->fold.count; i++)
		draw_row(c, &p, i);
	if (p.parts && p.done >= h->fold.count)
		draw_parts(c, &p, r);
	if (p.done >= h->fold.count && p.gap > 1 && is_funnel(h))
		kit_aside(c, p.x + p.lanes * p.cell / 3,
			  funnel_y(&p, h->fold.count) - 1,
			  p.lanes * p.cell * 2 / 3,
			  _("dark: nobody takes these lanes' values any more"),
			  INK(ROLE_DIM));
}

static bool available(const struct frame_model *s)
{
	return s->scene && s->scene->site && shuffle_in_text(s->scene);
}

static void shuffle_words(struct str *out, const struct frame_model *s)
{
	const struct shuffles *h = s->scene->shuffles;

	if (h && h->found)
		shuffle_sentence(out, h);
}

static double seconds(const struct scene *sc)
{
	return sc->shuffles ? sc->shuffles->fold.count * STEP_SECONDS : 0;
}

static void turn_shuffle(struct turns *t, const struct scene *sc, int by)
{
	(void)sc;
	t->shuffle += by;
}

static const struct view_key keys[] = {
	{ .keys = { '.' }, .key = ", .", .word = N_("a shuffle"),
	  .help = N_("shuffles: up to the next one, or the one before"),
	  .turn = turn_shuffle, .by = 1, .moves = true },
	{ .keys = { ',' }, .turn = turn_shuffle, .by = -1, .moves = true },
};

const struct view view_shuffle = {
	.name = "shuffle",
	.title = N_("shuffles"),
	.help = N_("which lane gets whose value, shuffle by shuffle"),
	.pane = PANE_PICTURE,
	.wide = true,
	.lines = -1,
	.least = 60,
	.available = available,
	.rank = view_never,
	.prepare = scene_shuffle,
	.draw = draw,
	.words = shuffle_words,
	.seconds = seconds,
	.keys = keys,
	.key_count = LENGTH(keys),
};
