/* view_pipeline: who copies and who computes, as lanes along the order of
 * events. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/pictures/pipeline/view_pipeline.h"

/* ---- layout ---- */

static double current_step(const struct frame_model *s)
{
	const struct pipeline_now *n = &s->scene->pipeline_now;
	double from = n->step + n->part, to = n->next_step + n->next_part;

	return kit_between(from, MAX(from, to), s->quiet ? 0 : s->t);
}

static void add_lane(struct pipeline_plan *l, enum lane_kind kind,
		     uint32_t index)
{
	if (l->count < MAX_LANES)
		l->lanes[l->count++] =
			(struct pipeline_lane){ kind, index, { 0 } };
}

static void add_all_lanes(struct pipeline_plan *l, bool gates)
{
	const struct pipeline *p = l->p;

	add_lane(l, LANE_COPIES, 0);
	if (gates)
		add_lane(l, LANE_EMPTY_GATES, 0);
	for (uint32_t i = 0; i < MIN(p->stages, 12); i++)
		add_lane(l, LANE_STAGE, i);
	if (gates)
		add_lane(l, LANE_FULL_GATES, 0);
	for (uint32_t i = 0; i < p->role_count; i++)
		if (p->roles[i].does & PIPELINE_USES)
			add_lane(l, LANE_ROLE, i);
}

static bool is_gates(const struct pipeline_lane *l)
{
	return l->kind == LANE_EMPTY_GATES || l->kind == LANE_FULL_GATES;
}

/* Makes lanes as high as fits, with a row between them if they are two rows or
 * more. */
static void place_lanes(struct pipeline_plan *l, struct rect r)
{
	int lanes = 0, gates = 0, high, gap, y = r.y;

	for (int i = 0; i < l->count; i++)
		is_gates(&l->lanes[i]) ? gates++ : lanes++;
	high = MAX((r.h - gates + (gates ? 2 : 1)) / MAX(lanes, 1), 1);
	gap = high > 2;
	high -= gap;
	for (int i = 0; i < l->count; i++) {
		bool narrow = is_gates(&l->lanes[i]);
		bool close = narrow || (i + 1 < l->count &&
					is_gates(&l->lanes[i + 1]));

		l->lanes[i].r = (struct rect){ l->axis.x, y, l->axis.w,
					       narrow ? 1 : high };
		y += (narrow ? 1 : high) + (close ? 0 : gap);
	}
	l->axis.h = y - r.y - gap;
}

static struct pipeline_plan plan_lanes(const struct frame_model *s, struct rect r)
{
	struct pipeline_plan l = { .p = s->scene->pipeline,
				   .now = current_step(s) };
	int label = r.w < 100 ? 15 : r.w < 160 ? 18 : 24;
	int visible, rows = r.h - 2;
	double last;

	/* If there is room: a legend, a line of text, and a row for the mark at
	 * the current time. */
	l.legend = rows >= 12;
	rows -= (4 + (l.p->apart && rows >= 20)) * l.legend;
	add_all_lanes(&l, l.p->mbarriers && l.p->apart && rows >= 12);
	l.label = (struct rect){ r.x, r.y, label - 1, r.h };
	l.axis = (struct rect){ r.x + label, r.y + 1 + l.legend, r.w - label,
				rows };
	place_lanes(&l, (struct rect){ r.x, l.axis.y, r.w, rows });
	l.step = MAX(l.axis.w / (int)MAX(l.p->steps, 1), 4);
	visible = l.axis.w / l.step;
	last = MAX((double)l.p->steps - (double)l.axis.w / l.step, 0);
	l.first = MIN(MAX(l.now - visible * 0.6, 0), last);
	return l;
}

int pipeline_column(const struct pipeline_plan *l, double at)
{
	return l->axis.x + (int)floor((at - l->first) * l->step + 0.5);
}

int pipeline_barrier(const struct pipeline_plan *l, uint32_t step)
{
	int x = pipeline_column(l, step);

	return l->p->barrier[step] && x > l->axis.x &&
	       x < l->axis.x + l->axis.w ? x : -1;
}

/* ---- cells ---- */

struct look pipeline_look(enum pipeline_state state)
{
	switch (state) {
	case PIPELINE_IN_FLIGHT:
		return (struct look){ ROLE_FIELD, ROLE_FIELD, '/' };
	case PIPELINE_READY:
		return (struct look){ ROLE_HUE1, ROLE_FADE1, ' ' };
	case PIPELINE_IN_USE:
		return (struct look){ ROLE_HUE0, ROLE_FADE0, ' ' };
	default:
		return (struct look){ ROLE_FIELD, ROLE_NONE, ' ' };
	}
}

/* Returns the column of text between two columns: in the middle, or at a side
 * of the barrier that would cross it. */
static int words_column(const struct pipeline_plan *l, int x0, int x1, int w)
{
	int x = x0 + (x1 - x0 - w) / 2;

	for (uint32_t s = 0; s < l->p->steps; s++) {
		int at = pipeline_barrier(l, s);

		if (at >= x && at < x + w)
			x = at - w - 1 >= x0 ? at - w - 1 : at + 1;
	}
	return x;
}

/* Draws the part of a lane between two steps: bright up to now, faded after
 * it. */
static void draw_span(struct canvas *c, const struct pipeline_plan *l,
		      struct rect r, double from, double to, struct look look,
		      const char *text)
{
	int x0 = MAX(pipeline_column(l, from), r.x);
	int x1 = MIN(pipeline_column(l, to), r.x + r.w), now = pipeline_column(l, l->now);
	bool solid = look.sign == ' ';

	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = x0; x < x1; x++) {
			bool later = x >= now;
			enum role bg = later ? look.later : look.now;

			canvas_put(c, x, y, look.sign, INK_ON(
				solid ? ROLE_ON_HUE :
				later ? ROLE_BORDER : ROLE_HUE1, bg));
		}
	if (text && x1 - x0 >= text_width(text) + (x1 - x0 > 3)) {
		bool later = x0 >= now;
		int x = words_column(l, x0, x1, text_width(text));

		canvas_text(c, x, r.y + r.h / 2, x1 - x, text, (struct ink){
			later || !solid ? later ? ROLE_DIM : ROLE_STRONG :
			ROLE_ON_HUE, solid ? 0 : ROLE_FIELD,
			ATTR_BOLD });
	}
}

/* Draws a dark edge between adjacent parts. */
static void draw_edge(struct canvas *c, const struct pipeline_plan *l,
		      struct rect r, double at)
{
	int x = pipeline_column(l, at);

	if (x <= r.x || x >= r.x + r.w)
		return;
	for (int y = r.y; y < r.y + r.h; y++)
		canvas_put(c, x, y, 0x258f, INK(ROLE_NONE));
}

static const char *tile_number_text(char buf[12], uint32_t tile)
{
	snprintf(buf, 12, "%u", tile);
	return buf;
}

bool pipeline_visible(const struct pipeline_plan *l, double from, double to)
{
	return to > l->first && from < l->first + (double)l->axis.w / l->step;
}

bool pipeline_idle(const struct pipeline_role *role, uint32_t step)
{
	return step < role->ends && !(role->turns[step].does &
				      (PIPELINE_USES | PIPELINE_STORES));
}

static void draw_copies(struct canvas *c, const struct pipeline_plan *l,
			const struct pipeline_lane *lane)
{
	const struct pipeline *p = l->p;
	char buf[12];

	for (uint32_t i = 0; i < p->tile_count; i++) {
		const struct pipeline_tile *t = &p->tiles[i];
		double from = pipeline_asked(t);
		double to = t->asked + t->to;

		if (!pipeline_visible(l, from, to))
			continue;
		draw_span(c, l, lane->r, from, to,
			  (struct look){ ROLE_HUE1, ROLE_FADE1, ' ' },
			  tile_number_text(buf, i));
		draw_edge(c, l, lane->r, from);
	}
}

static void draw_stage(struct canvas *c, const struct pipeline_plan *l,
		       const struct pipeline_lane *lane)
{
	const struct pipeline *p = l->p;
	char buf[12];

	draw_span(c, l, lane->r, 0, p->steps, pipeline_look(PIPELINE_EMPTY),
		  NULL);
	for (uint32_t i = 0; i < p->tile_count; i++) {
		const struct pipeline_tile *t = &p->tiles[i];
		double asked = pipeline_asked(t), came = t->asked_last + 1;
		bool used = t->used != PIPELINE_NONE;
		double begins = used ? t->used : p->steps;
		double ends = used ? t->used_last + 1 : p->steps;

		if (t->stage != lane->index || !pipeline_visible(l, asked, ends))
			continue;
		came = MIN(came, begins);
		draw_span(c, l, lane->r, asked, came,
			  pipeline_look(PIPELINE_IN_FLIGHT),
			  tile_number_text(buf, i));
		draw_span(c, l, lane->r, came, begins,
			  pipeline_look(PIPELINE_READY), NULL);
		if (used)
			draw_span(c, l, lane->r, begins, ends,
				  pipeline_look(PIPELINE_IN_USE),
				  tile_number_text(buf, i));
	}
}

static void draw_idle(struct canvas *c, const struct pipeline_plan *l,
		      const struct pipeline_lane *lane)
{
	const struct pipeline_role *role = &l->p->roles[lane->index];
	const struct look waste = { ROLE_WASTE, ROLE_WASTE, ' ' };
	uint32_t s = 0;

	while (s < role->ends) {
		uint32_t from = s;

		while (pipeline_idle(role, s))
			s++;
		if (s > from && pipeline_visible(l, from, s)) {
			draw_span(c, l, lane->r, from, s, waste, NULL);
			if ((int)(s - from) * l->step >=
			    text_width(_("idle")) + 1)
				canvas_text(c, MAX(pipeline_column(l, from) + 1,
						   lane->r.x),
					    lane->r.y + lane->r.h / 2,
					    (int)(s - from) * l->step - 1,
					    _("idle"),
					    INK_ON(ROLE_STRONG, ROLE_WASTE));
		}
		s += s == from;
	}
}

static void draw_role(struct canvas *c, const struct pipeline_plan *l,
		      const struct pipeline_lane *lane)
{
	const struct pipeline_role *role = &l->p->roles[lane->index];
	char buf[12];

	draw_idle(c, l, lane);
	for (uint32_t s = 0; s < l->p->steps; s++) {
		const struct pipeline_turn *t = &role->turns[s];
		bool uses = t->does & PIPELINE_USES;

		if (!pipeline_visible(l, s, s + 1))
			continue;
		if (uses)
			draw_span(c, l, lane->r, s, s + 1,
				  pipeline_look(PIPELINE_IN_USE),
				  l->p->races ? "?" :
				  tile_number_text(buf, t->tile));
		else if (t->does & PIPELINE_STORES)
			draw_span(c, l, lane->r, s, s + 1,
				  (struct look){ ROLE_HUE2, ROLE_FADE2, ' ' },
				  "C");
		if (t->does)
			draw_edge(c, l, lane->r, s);
	}
}

/* Draws the gates. One opens where a stage is asked for again, or read for the
 * first time. */
static void draw_gates(struct canvas *c, const struct pipeline_plan *l,
		       const struct pipeline_lane *lane)
{
	int now = pipeline_column(l, l->now);

	for (int x = lane->r.x; x < lane->r.x + lane->r.w; x++)
		canvas_put(c, x, lane->r.y, 0x2500, INK(ROLE_BORDER));
	for (uint32_t i = 0; i < l->p->tile_count; i++) {
		const struct pipeline_tile *t = &l->p->tiles[i];
		bool empty = lane->kind == LANE_EMPTY_GATES;
		int x;

		if (!empty && t->used == PIPELINE_NONE)
			continue;
		x = pipeline_column(l, empty ? pipeline_asked(t) : t->used);
		if (x >= lane->r.x && x < lane->r.x + lane->r.w)
			canvas_put(c, x, lane->r.y, 0x25bc, INK(
				x <= now ? ROLE_GOOD : ROLE_FAINT));
	}
}

/* ---- words ---- */

const char *pipeline_state_word(enum pipeline_state state)
{
	static const char *const words[] = { N_("empty"), N_("in flight"),
					     N_("ready"), N_("in use") };

	return _(words[state]);
}

static enum role state_role(enum pipeline_state state)
{
	static const enum role roles[] = { ROLE_FAINT, ROLE_HUE1, ROLE_HUE1,
					   ROLE_ACCENT };

	return roles[state];
}

/* Writes a lane's name and, below it or after it, its state now. */
static void draw_lane_label(struct canvas *c, const struct pipeline_plan *l,
			    const struct pipeline_lane *lane, const char *name,
			    const char *now, enum role role)
{
	struct rect r = { l->label.x, lane->r.y, l->label.w, lane->r.h };
	int used = canvas_text(c, r.x, r.y, r.w, name, INK_BOLD(ROLE_STRONG));

	if (r.h > 1)
		canvas_text(c, r.x, r.y + 1, r.w, now, INK(role));
	else if (used + 1 + text_width(now) <= r.w)
		canvas_text(c, r.x + used + 1, r.y, r.w - used - 1, now,
			    INK(role));
}

static void label_stage(struct canvas *c, const struct pipeline_plan *l,
			const struct pipeline_lane *lane)
{
	uint32_t tile;
	enum pipeline_state state = pipeline_stage(l->p, lane->index, l->now,
						   &tile);
	char name[32], now[48];

	snprintf(name, sizeof(name), _("stage %u"), lane->index);
	if (tile == PIPELINE_NONE || lane->r.h < 2)
		snprintf(now, sizeof(now), "%s", pipeline_state_word(state));
	else
		snprintf(now, sizeof(now), "%s  %u", pipeline_state_word(state), tile);
	draw_lane_label(c, l, lane, name, now, state_role(state));
}

static void warps_word(char *buf, size_t size, uint32_t first, uint32_t last)
{
	if (first == last)
		snprintf(buf, size, _("warp %u"), first);
	else
		snprintf(buf, size, _("warps %u to %u"), first, last);
}

/* Labels the copies with the warps that make them: producers, or those that
 * compute. */
static void label_copies(struct canvas *c, const struct pipeline_plan *l,
			 const struct pipeline_lane *lane)
{
	char now[48] = "";

	for (uint32_t i = 0; i < l->p->role_count; i++)
		if (l->p->roles[i].does & PIPELINE_COPIES)
			warps_word(now, sizeof(now), l->p->roles[i].first,
				   l->p->roles[i].last);
	draw_lane_label(c, l, lane, l->p->apart ? _("producer") : _("copies"),
			now, ROLE_DIM);
}

static void label_role(struct canvas *c, const struct pipeline_plan *l,
		       const struct pipeline_lane *lane)
{
	const struct pipeline_role *role = &l->p->roles[lane->index];
	char name[32], now[48];
	uint32_t nth = 0;

	for (uint32_t i = 0; i <= lane->index; i++)
		nth += (l->p->roles[i].does & PIPELINE_USES) != 0;
	snprintf(name, sizeof(name), _("consumer %u"), nth);
	warps_word(now, sizeof(now), role->first, role->last);
	draw_lane_label(c, l, lane, l->p->apart ? name : _("computes"), now,
			ROLE_DIM);
}

static void draw_lane(struct canvas *c, const struct pipeline_plan *l,
		      const struct pipeline_lane *lane)
{
	switch (lane->kind) {
	case LANE_COPIES:
		label_copies(c, l, lane);
		draw_copies(c, l, lane);
		break;
	case LANE_STAGE:
		label_stage(c, l, lane);
		draw_stage(c, l, lane);
		break;
	case LANE_ROLE:
		label_role(c, l, lane);
		draw_role(c, l, lane);
		break;
	default:
		canvas_right(c, l->label.x, lane->r.y, l->label.w,
			     lane->kind == LANE_EMPTY_GATES ?
			     _("empty gates") : _("full gates"),
			     INK(ROLE_GOOD));
		draw_gates(c, l, lane);
	}
}

static bool available(const struct frame_model *s)
{
	return s->scene && scene_has_pipeline(s->scene);
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	struct pipeline_plan l;
	struct rect clip;

	if (!s->scene || !s->scene->pipeline) {
		prose_text(c, r, 0, _("This kernel copies no tiles to shared "
				      "memory."), INK(ROLE_DIM));
		return;
	}
	clip = canvas_clip(c, r);
	l = plan_lanes(s, r);
	for (int i = 0; i < l.count; i++)
		draw_lane(c, &l, &l.lanes[i]);
	pipeline_around(c, &l, r, s);
	canvas_clip(c, clip);
}

static enum view_rank rank(const struct scene *sc)
{
	enum op op = sc->site->op;

	if (!scene_has_pipeline(sc))
		return RANK_NONE;
	return op == OP_TMA_LD || op == OP_MBAR_ARRIVE ||
	       op == OP_MBAR_WAIT || op == OP_SYNC ? RANK_STEP : RANK_ALWAYS;
}

static void prepare(struct stage *s, const struct turns *t)
{
	(void)t;
	scene_pipeline(s);
}

const struct view view_pipeline = {
	.name = "pipeline",
	.title = N_("pipeline"),
	.help = N_("who copies and who computes, in the order of events"),
	.pane = PANE_PICTURE,
	.wide = true,
	.available = available,
	.rank = rank,
	.prepare = prepare,
	.draw = draw,
	.words = pipeline_sentences,
};
