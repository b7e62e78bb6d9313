/* The teacher's screen: where a class is, and what it answers. */
#include <stdio.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/frame_model.h"

static void draw_class_header(struct canvas *c, const struct show_class *k)
{
	char people[64];
	int x = 1;

	canvas_fill(c, (struct rect){ 0, 0, c->w, 1 }, ' ',
		    INK_ON(ROLE_TEXT, ROLE_BAR));
	x += canvas_text(c, x, 0, c->w - x, "gemmviz",
			 (struct ink){ ROLE_ACCENT, ROLE_BAR, ATTR_BOLD }) + 2;
	x += canvas_textf(c, x, 0, c->w - x,
			  (struct ink){ ROLE_STRONG, ROLE_BAR, ATTR_BOLD },
			  _("class %s"), k->name) + 2;
	snprintf(people, sizeof(people), ngettext("%d person", "%d people",
		 (unsigned)k->people), k->people);
	canvas_right(c, x, 0, c->w - x - 1, people,
		     INK_ON(ROLE_TEXT, ROLE_BAR));
}

/* Draws a count as a number and a bar; the longest bar is `most`. */
static void draw_count_bar(struct canvas *c, int x, int y, int w, int count,
			   int most, enum role role)
{
	canvas_textf(c, x, y, 4, INK_BOLD(ROLE_STRONG), "%3d", count);
	kit_bar(c, x + 4, y, w - 4, (double)count / MAX(most, 1), role,
		ROLE_NONE);
}

static void draw_steps(struct canvas *c, struct rect r,
		       const struct show_class *k)
{
	int most = 0, label = MIN(r.w / 2, 34), y;

	r = canvas_frame(c, r, _("where they are"), NULL, false);
	for (int i = 0; i < k->step_count; i++)
		most = MAX(most, k->steps[i].count);
	y = r.y;
	for (int i = 0; i < k->step_count && y < r.y + r.h; i++, y++) {
		const struct show_class_step *s = &k->steps[i];

		canvas_textf(c, r.x + 1, y, label, INK(ROLE_TEXT),
			     _("%s %d/%d"), s->lesson, s->step, s->steps);
		draw_count_bar(c, r.x + label + 1, y, r.w - label - 3, s->count,
			       most, ROLE_HUE1);
		if (s->names && ++y < r.y + r.h)
			canvas_text(c, r.x + 3, y, r.w - 4, s->names,
				    INK(ROLE_DIM));
	}
	if (!k->step_count)
		canvas_text(c, r.x + 1, r.y, r.w - 2,
			    _("Nobody has opened a lesson yet."),
			    INK(ROLE_DIM));
}

static void draw_first_answers(struct canvas *c, struct rect r,
			       const struct show_class *k)
{
	int most = 0, apart, label = MIN(r.w / 3, 16);

	r = canvas_frame(c, r, _("first answers"), k->question, false);
	if (k->answer_count && *k->words) {
		struct rect in = { r.x + 1, r.y, r.w - 2, r.h };
		int rows = MIN(prose_text(c, in, 0, k->words,
					  INK_BOLD(ROLE_STRONG)), r.h);

		r.y += rows;
		r.h -= rows;
	}
	for (int i = 0; i < k->answer_count; i++)
		most = MAX(most, k->answers[i].count);
	apart = r.h >= 2 * k->answer_count ? 2 : 1;
	for (int i = 0; i < k->answer_count && i * apart < r.h; i++) {
		const struct show_class_answer *a = &k->answers[i];
		bool right = a->right && k->reveal;
		int y = r.y + i * apart;

		canvas_textf(c, r.x + 1, y, label, right ?
			     INK_BOLD(ROLE_GOOD) : INK(ROLE_TEXT), "%s%s",
			     *a->text ? a->text : _("(shown)"),
			     right ? " \xe2\x9c\x93" : "");
		draw_count_bar(c, r.x + label + 1, y, r.w - label - 3, a->count,
			       most, right ? ROLE_GOOD : ROLE_HUE0);
	}
	if (!k->answer_count)
		canvas_text(c, r.x + 1, r.y, r.w - 2,
			    _("Nobody has answered a question yet."),
			    INK(ROLE_DIM));
}

/* Draws a line for each rung: who has passed it, is at it, is stuck, and where. */
static void draw_class_rungs(struct canvas *c, struct rect r,
			     const struct show_class *k)
{
	int label = MIN(r.w / 3, 24);

	r = canvas_frame(c, r, _("practice"), _("passed, at it, stuck"), false);
	for (int i = 0; i < k->rung_count && i < r.h; i++) {
		const struct show_class_rung *g = &k->rungs[i];
		int y = r.y + i, x = r.x + label + 1;

		canvas_textf(c, r.x + 1, y, label, INK(ROLE_TEXT), "%2d %s",
			     g->place, g->name);
		canvas_textf(c, x, y, 5, INK_BOLD(ROLE_GOOD), "%4d", g->passed);
		canvas_textf(c, x + 5, y, 5, INK_BOLD(ROLE_STRONG), "%4d",
			     g->at);
		canvas_textf(c, x + 10, y, 5, INK_BOLD(g->stuck ? ROLE_BAD :
							      ROLE_FAINT),
			     "%4d", g->stuck);
		if (g->stuck)
			canvas_textf(c, x + 16, y, r.w - label - 18,
				     INK(ROLE_DIM), _("at %s"), g->stage);
	}
	if (!k->rung_count)
		canvas_text(c, r.x + 1, r.y, r.w - 2,
			    _("Nobody has tried a rung yet."), INK(ROLE_DIM));
}

void view_class(struct canvas *c, const struct frame_model *s)
{
	const struct show_class *k = s->class;
	struct rect body = { 0, 1, c->w, c->h - 2 };
	struct rect steps = body, answers = body;

	if (body.w >= 100) {
		steps.w = body.w / 2;
		answers.x = steps.w;
		answers.w = body.w - steps.w;
	} else {
		steps.h = body.h / 2;
		answers.y = body.y + steps.h;
		answers.h = body.h - steps.h;
	}
	draw_class_header(c, k);
	if (k->practice) {
		draw_class_rungs(c, body, k);
	} else {
		draw_steps(c, steps, k);
		draw_first_answers(c, answers, k);
	}
	view_keys(c, (struct rect){ 0, c->h - 1, c->w, 1 }, s);
}
