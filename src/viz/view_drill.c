/* A drill: a question made from the model, and a picture of what it asks
 * about. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "viz/view_drill_parts.h"

/* Where the picture and the question stand. */
struct drill_places {
	struct rect picture, question;
};

static bool is_side_by_side(int w, int h)
{
	return w >= 110 && h >= 24;
}

/* The picture keeps a few rows, however long the reply is. */
#define PICTURE_LEAST 7

static struct drill_places layout_drill(const struct frame_model *s, int w, int h)
{
	struct rect body = { 0, 2, w, h - 3 };
	struct drill_places p = { body, body };
	int rows;

	if (is_side_by_side(w, h)) {
		p.question.w = w * 2 / 5;
		rows = lesson_rows(&s->lesson, p.question.w, false) + 1;
		p.question.h = MIN(rows, body.h);
		p.picture.x = p.question.w + 1;
		p.picture.w = w - p.question.w - 1;
		return p;
	}
	/* The question has no blank rows above it and, on a low screen, no
	 * frame below it. */
	rows = lesson_rows(&s->lesson, w, false) - 1 - (h < 30);
	p.question.h = MAX(5, MIN(rows, body.h - PICTURE_LEAST));
	p.question.y = body.y + body.h - p.question.h;
	p.picture.h = body.h - p.question.h;
	return p;
}

int drill_hit(const struct frame_model *s, int w, int h, int x, int y)
{
	struct drill_places p = layout_drill(s, w, h);

	return lesson_choice_at(s, p.question, h, x, y);
}

/* Returns the view of the request that the question is about; NULL: it is about
 * none. */
static const struct view *request_view(const struct frame_model *s)
{
	const struct drill_question *q = s->drill->question;

	return !s->scene ? NULL :
	       view_find(q->access.space == ACCESS_GLOBAL ? "sectors" :
							    "banks");
}

static void draw_picture(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct drill_question *q = s->drill->question;
	const struct view *v = request_view(s);
	struct rect old;

	if (!v && c->h >= 24)
		r = canvas_frame(c, r, _(q->topic->title), NULL, false);
	if (!v) {
		r.x++;
		r.w -= 2;
	}
	old = canvas_clip(c, r);
	if (v)
		v->draw(c, r, s);
	else if (q->about == DRILL_FRAGMENT)
		drill_fragment(c, r, s);
	else if (q->about == DRILL_OCCUPANCY)
		drill_occupancy_bars(c, r, s);
	else if (q->code)
		drill_code(c, r, s);
	canvas_clip(c, old);
}

/* Draws a mark for each right answer in a row that the next level needs.
 * Returns the columns used. */
static int draw_streak(struct canvas *c, int x, int y,
		       const struct drill_score *score)
{
	for (int i = 0; score->level < DRILL_LEVELS && i < DRILL_UP; i++)
		canvas_put(c, x + i, y, i < score->streak ? 0x25cf : 0x25cb,
			   INK_ON(ROLE_ACCENT, ROLE_BAR));
	return score->level < DRILL_LEVELS ? DRILL_UP + 1 : 0;
}

static void draw_drill_header(struct canvas *c, const struct frame_model *s)
{
	const struct drill_question *q = s->drill->question;
	const struct drill_score *score = &s->drill->score;
	struct ink strong = { ROLE_STRONG, ROLE_BAR, ATTR_BOLD };
	int x = 1, y = 1;
	char done[64];

	canvas_fill(c, (struct rect){ 0, 0, c->w, 1 }, ' ',
		    INK_ON(ROLE_TEXT, ROLE_BAR));
	x += canvas_text(c, x, 0, c->w - x, "gemmviz",
			 (struct ink){ ROLE_ACCENT, ROLE_BAR, ATTR_BOLD }) + 2;
	x += canvas_text(c, x, 0, c->w - x, _(q->topic->title), strong) + 2;
	x += draw_streak(c, x, 0, score);
	snprintf(done, sizeof(done), _("%d of %d right"), score->right,
		 score->asked);
	if (x + text_width(done) < c->w)
		canvas_right(c, x, 0, c->w - x - 1, done,
			     INK_ON(ROLE_TEXT, ROLE_BAR));
	canvas_textf(c, 1, y, c->w - 2, INK(ROLE_DIM), _("level %d of %d: %s"),
		     q->level, DRILL_LEVELS,
		     drill_level_words(q->topic, q->level));
}

void view_drill(struct canvas *c, const struct frame_model *s)
{
	struct drill_places p = layout_drill(s, c->w, c->h);

	draw_drill_header(c, s);
	draw_picture(c, p.picture, s);
	view_find("lesson")->draw(c, p.question, s);
	view_keys(c, (struct rect){ 0, c->h - 1, c->w, 1 }, s);
}
