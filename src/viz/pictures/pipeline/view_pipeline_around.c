/* view_pipeline: draws what stands around the lanes. */
#include "viz/pictures/pipeline/view_pipeline.h"

#include <stdio.h>

#include "base/text.h"

static const char *step_number(char buf[12], uint32_t tile)
{
	snprintf(buf, 12, "%u", tile);
	return buf;
}

static void draw_pipeline_headline(struct canvas *c, struct rect r,
				   const struct frame_model *s)
{
	const struct pipeline *p = s->scene->pipeline;
	struct str words = {0};
	bool good;

	if (s->quiet || !p->computes)
		return;
	good = pipeline_headline(&words, p);
	prose_fit(c, (struct rect){ r.x, r.y, r.w, 1 }, words.data,
		  INK_BOLD(good ? ROLE_GOOD : ROLE_BAD));
	str_done(&words);
}

/* Draws which tile of C the consumers work on, if there are several. */
static void draw_laps(struct canvas *c, const struct pipeline_plan *l)
{
	int y = l->axis.y - 1, end = l->axis.x + l->axis.w;
	uint32_t first, last;

	for (uint32_t i = 0; l->p->laps > 1 && i < l->p->laps; i++) {
		char text[32];
		int x, to;

		if (!pipeline_lap(l->p, i, &first, &last))
			continue;
		x = MAX(pipeline_column(l, first), l->axis.x);
		to = MIN(pipeline_column(l, last + 1.0), end);
		for (int k = x; k < to; k++)
			canvas_put(c, k, y, 0x2500, INK(ROLE_BORDER));
		snprintf(text, sizeof(text), _(" tile %u of C "), i);
		if (to - x > text_width(text) + 2)
			canvas_text(c, x + 1, y, -1, text, INK(ROLE_TEXT));
	}
}

static void draw_barrier_lines(struct canvas *c, const struct pipeline_plan *l)
{
	for (uint32_t s = 0; s < l->p->steps; s++) {
		int x = pipeline_barrier(l, s);

		for (int y = l->axis.y; x >= 0 && y < l->axis.y + l->axis.h;
		     y++)
			canvas_put(c, x, y, 0x2502, INK(ROLE_STRONG));
	}
}

static void draw_now_mark(struct canvas *c, const struct pipeline_plan *l)
{
	int x = MIN(pipeline_column(l, l->now), l->axis.x + l->axis.w - 1);
	bool free = true;

	/* In a low picture there is a sentence. */
	for (int i = x - 1; i <= x + 1; i++)
		free &= canvas_at(c, i, l->axis.y - 1)->ch == ' ';
	if (free)
		canvas_put(c, x, l->axis.y - 1, 0x25bc, INK_BOLD(ROLE_STRONG));
	for (int y = l->axis.y; y < l->axis.y + l->axis.h; y++)
		canvas_put(c, x, y, 0x2503, INK_BOLD(ROLE_CURSOR));
}

static int legend_entry(struct canvas *c, int x, int y, int end,
			struct look look, const char *words)
{
	int w = text_width(words);

	if (x + w + 5 > end)
		return x;
	for (int i = 0; i < 3; i++)
		canvas_put(c, x + i, y, look.sign,
			   INK_ON(look.sign == ' ' ? ROLE_ON_HUE : ROLE_HUE1,
				  look.now));
	canvas_text(c, x + 4, y, w, words, INK(ROLE_DIM));
	return x + 4 + w + 3;
}

/* Which entries the legend needs. */
struct signs {
	bool idle, stores, barrier;
};

static void find_signs(const struct pipeline_plan *l, const struct pipeline *p,
		       struct signs *signs)
{
	for (uint32_t s = 0; s < p->steps; s++)
		signs->barrier |= p->barrier[s];
	for (uint32_t i = 0; i < p->role_count; i++) {
		const struct pipeline_role *role = &p->roles[i];

		signs->stores |= role->does & PIPELINE_STORES;
		for (uint32_t s = 0; s < role->ends; s++)
			signs->idle |= pipeline_idle(role, s) &&
				       pipeline_visible(l, s, s + 1);
	}
}

/* Draws the legend. In a narrow picture it begins below the labels; if two
 * pictures stand side by side, each has a half of it. */
static void draw_pipeline_legend(struct canvas *c,
				 const struct pipeline_plan *l, int y,
				 const struct frame_model *s)
{
	bool narrow = l->axis.w < 75;
	bool shared = narrow && s->twin && s->twin->pipeline;
	struct signs signs = { false };
	int x = narrow ? l->label.x : l->axis.x, end = l->axis.x + l->axis.w;

	for (enum pipeline_state i = PIPELINE_IN_FLIGHT; i <= PIPELINE_IN_USE &&
	     !(shared && s->second); i++)
		x = legend_entry(c, x, y, end, pipeline_look(i), pipeline_state_word(i));
	if (shared && !s->second)
		return;
	find_signs(l, l->p, &signs);
	if (shared)
		find_signs(l, s->twin->pipeline, &signs);
	if (signs.idle)
		x = legend_entry(c, x, y, end, (struct look){
			ROLE_WASTE, ROLE_WASTE, ' ' }, _("idle"));
	if (signs.stores)
		x = legend_entry(c, x, y, end, (struct look){
			ROLE_HUE2, ROLE_HUE2, ' ' }, _("sums leave for C"));
	if (signs.barrier && x + 2 + text_width(_("barrier")) < end) {
		canvas_put(c, x, y, 0x2502, INK(ROLE_STRONG));
		canvas_text(c, x + 2, y, -1, _("barrier"), INK(ROLE_DIM));
	}
}

static void draw_step_axis(struct canvas *c, const struct pipeline_plan *l,
			   int y)
{
	const char *words = _("order of events, not time \xe2\x86\x92");
	int end, last = MIN(pipeline_column(l, l->p->steps - 1.0),
			    l->axis.x + l->axis.w - l->step);

	if (last + 3 > l->axis.x + l->axis.w - text_width(words) - 1)
		words = _("order, not time \xe2\x86\x92");
	end = l->axis.x + l->axis.w - text_width(words) - 1;
	for (uint32_t s = 0; s < l->p->steps; s++) {
		int x = pipeline_column(l, s);
		char buf[12];

		if (x < l->axis.x || x + 3 > end || s % (l->step < 5 ? 2 : 1))
			continue;
		canvas_text(c, x, y, l->step, step_number(buf, s),
			    INK(ROLE_FAINT));
	}
	canvas_text(c, l->label.x, y, l->label.w, _("step"), INK(ROLE_FAINT));
	canvas_right(c, l->axis.x, y, l->axis.w, words, INK(ROLE_DIM));
}

static void draw_stage_words(struct canvas *c, const struct pipeline_plan *l,
			     int y)
{
	struct str words = {0};

	pipeline_words(&words, l->p, l->now);
	if (words.len)
		canvas_text(c, l->axis.x, y, l->axis.w, words.data,
			    INK_BOLD(ROLE_STRONG));
	str_done(&words);
}

static void draw_tile_facts(struct canvas *c, const struct pipeline_plan *l,
			    int y)
{
	struct str words = {0};

	pipeline_facts(&words, l->p);
	canvas_text(c, l->axis.x, y, l->axis.w, words.data, INK(ROLE_TEXT));
	str_done(&words);
}

void pipeline_around(struct canvas *c, const struct pipeline_plan *l,
		     struct rect r, const struct frame_model *s)
{
	int y = l->axis.y + l->axis.h;

	draw_pipeline_headline(c, r, s);
	draw_barrier_lines(c, l);
	if (l->legend)
		draw_laps(c, l);
	draw_now_mark(c, l);
	draw_step_axis(c, l, y++);
	if (y < r.y + r.h)
		draw_pipeline_legend(c, l, y++, s);
	if (!l->legend)
		return;
	draw_stage_words(c, l, y++);
	if (l->p->apart && r.h >= 22)
		draw_tile_facts(c, l, y++);
	if (!s->quiet)
		pipeline_measured(c, l->label, (struct rect){
			l->axis.x, y, l->axis.w, 1 }, s);
}
