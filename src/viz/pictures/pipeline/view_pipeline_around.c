/* view_pipeline: draws what stands around the lanes. */
#include "viz/pictures/pipeline/view_pipeline.h"

#include <stdio.h>

#include "base/text.h"
#include "viz/legend.h"

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

/* Draws the legend's signs of lines: in flight, and barriers. Returns the
 * column after them. */
static int draw_line_signs(struct canvas *c, const struct pipeline_plan *l,
			   struct rect r)
{
	struct look look = pipeline_look(PIPELINE_IN_FLIGHT);
	bool flies = false, barrier = false;
	int x = r.x;

	for (int y = l->axis.y; y < l->axis.y + l->axis.h; y++)
		for (int i = l->axis.x; i < l->axis.x + l->axis.w; i++) {
			flies |= canvas_at(c, i, y)->ch == look.sign;
			barrier |= canvas_at(c, i, y)->ch == 0x2502;
		}
	for (int i = 0; flies && i < 3; i++)
		canvas_put(c, x + i, r.y, look.sign,
			   INK_ON(ROLE_HUE1, look.now));
	if (flies)
		x += 6 + canvas_text(c, x + 4, r.y, -1,
				     pipeline_state_word(PIPELINE_IN_FLIGHT),
				     INK(ROLE_DIM));
	if (barrier && x + 2 + text_width(_("barrier")) < r.x + r.w) {
		canvas_put(c, x, r.y, 0x2502, INK(ROLE_STRONG));
		x += 4 + canvas_text(c, x + 2, r.y, -1, _("barrier"),
				     INK(ROLE_DIM));
	}
	return x;
}

/* Draws the legend. In a narrow picture it begins below the labels. */
static void draw_pipeline_legend(struct canvas *c,
				 const struct pipeline_plan *l, int y)
{
	struct legend_entry e[] = {
		{ { ROLE_HUE1, ROLE_FADE1 }, _("copies, ready") },
		{ { ROLE_HUE0, ROLE_FADE0 },
		  pipeline_state_word(PIPELINE_IN_USE) },
		{ { ROLE_WASTE }, _("idle") },
		{ { ROLE_HUE2, ROLE_FADE2 }, _("sums leave for C") },
	};
	int left = l->axis.w < 75 ? l->label.x : l->axis.x;
	struct rect r = { left, y, l->axis.x + l->axis.w - left, 1 };
	int x = draw_line_signs(c, l, r);

	r.w -= x - r.x;
	r.x = x;
	legend_rows(c, r, l->axis, e, LENGTH(e));
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
		draw_pipeline_legend(c, l, y++);
	if (!l->legend)
		return;
	draw_stage_words(c, l, y++);
	if (l->p->apart && r.h >= 22)
		draw_tile_facts(c, l, y++);
	if (!s->quiet)
		pipeline_measured(c, l->label, (struct rect){
			l->axis.x, y, l->axis.w, 1 }, s);
}
