/* A drill: a question from the model, and a picture of what it is about. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "viz/view_drill_parts.h"

/* Where the picture and the question stand. */
struct places { struct rect picture, question; };

static bool beside(int w, int h)
{
	return w >= 110 && h >= 24;
}

/* The picture keeps a few rows, whatever the reply. */
#define PICTURE_LEAST 7

static struct places places_of(const struct show *s, int w, int h)
{
	struct rect body = { 0, 2, w, h - 3 };
	struct places p = { body, body };
	int rows;

	if (beside(w, h)) {
		p.question.w = w * 2 / 5;
		rows = lesson_rows(&s->lesson, p.question.w, false) + 1;
		p.question.h = MIN(rows, body.h);
		p.picture.x = p.question.w + 1;
		p.picture.w = w - p.question.w - 1;
		return p;
	}
	/* Nothing stands apart above the question, and on a low screen no frame
	 * below it. */
	rows = lesson_rows(&s->lesson, w, false) - 1 - (h < 30);
	p.question.h = MAX(5, MIN(rows, body.h - PICTURE_LEAST));
	p.question.y = body.y + body.h - p.question.h;
	p.picture.h = body.h - p.question.h;
	return p;
}

int drill_hit(const struct show *s, int w, int h, int x, int y)
{
	struct places p = places_of(s, w, h);

	return lesson_choice_at(s, p.question, h, x, y);
}

/* The view of a request; NULL: there is none. */
static const struct view *view_of(const struct show *s)
{
	const struct drill_question *q = s->drill->question;

	return !s->scene ? NULL :
	       view_find(q->access.space == ACCESS_GLOBAL ? "sectors" :
							    "banks");
}

static void draw_picture(struct canvas *c, struct rect r, const struct show *s)
{
	const struct drill_question *q = s->drill->question;
	const struct view *v = view_of(s);
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

/* Marks for right answers in a row, as far as the next level. */
static int draw_streak(struct canvas *c, int x, int y,
		       const struct drill_score *score)
{
	for (int i = 0; score->level < DRILL_LEVELS && i < DRILL_UP; i++)
		canvas_put(c, x + i, y, i < score->streak ? 0x25cf : 0x25cb,
			   INK_ON(ROLE_ACCENT, ROLE_BAR));
	return score->level < DRILL_LEVELS ? DRILL_UP + 1 : 0;
}

static void draw_header(struct canvas *c, const struct show *s)
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

void view_drill(struct canvas *c, const struct show *s)
{
	struct places p = places_of(s, c->w, c->h);

	draw_header(c, s);
	draw_picture(c, p.picture, s);
	view_find("lesson")->draw(c, p.question, s);
	view_keys(c, (struct rect){ 0, c->h - 1, c->w, 1 }, s);
}
