/* layout: divides the screen among the panes, as a pure function of its
 * size. */
#include "viz/frame_model.h"

/* The rows at which frames and several lines of source fit. */
#define ROOMY 30
#define LARGE 48

static int source_rows(const struct screen_layout *l, const struct frame_model *s,
		       int rows)
{
	if (s->presenter)
		return rows < LARGE ? 2 : 5;
	if (rows < ROOMY)
		return rows < 20 ? 1 : 2;
	return rows < LARGE ? 5 : l->kind == LAYOUT_STRIPS ? 9 : rows / 2;
}

/* Returns the rows that the lesson's text gets, at most `most`. On a projector
 * that is the step's first sentence and the question. */
static int word_rows(const struct frame_model *s, int width, int most)
{
	if (!s->lesson.title)
		return 0;
	return MIN(lesson_rows(&s->lesson, width, s->presenter), most);
}

/* Tells whether the picture alone has the room. */
static bool is_filled(const struct frame_model *s)
{
	const struct view *v = view_picture(s);

	return v->fills && v->fills(s);
}

static void layout_strips(struct screen_layout *l, const struct frame_model *s,
			  struct rect body)
{
	int rows = body.h, caption = rows < ROOMY ? 1 : 2;
	int source = view_picture(s)->measured ? 0 : source_rows(l, s, rows);
	int lines = view_picture(s)->lines, y = body.y;
	int words = word_rows(s, body.w, MAX(8, rows * 3 / 10));

	if (lines)
		source = MIN(source, MAX(lines, 0));
	if (view_picture(s)->spreads && view_picture(s)->spreads(s))
		source = MIN(source, 1);
	if (is_filled(s))
		source = caption = 0;
	if (source)
		l->source = (struct rect){ body.x, y, body.w, source };
	y += source;
	l->picture = (struct rect){ body.x, y, body.w,
				    rows - source - caption - words };
	y += l->picture.h;
	l->caption = (struct rect){ body.x, y, body.w, caption };
	if (words)
		l->lesson = (struct rect){ body.x, y + caption, body.w, words };
}

/* Tells whether source and text stand above and below the picture. */
static bool is_wide(const struct frame_model *s)
{
	const struct view *v = view_picture(s);

	return v->wide || is_filled(s) || (v->spreads && v->spreads(s));
}

/* Puts the panes side by side: at the left the source, at least nine rows, the
 * caption and the text, which gets the rows it needs; at the right the
 * picture. */
static void layout_beside(struct screen_layout *l, const struct frame_model *s,
			  struct rect body)
{
	int left = MAX(42, MIN(70, body.w * 35 / 100)), caption = 3;
	int words = word_rows(s, left, body.h - caption - 9);
	int right = body.x + left + 1;

	if (words)
		words = MAX(words, body.h / 3);
	l->source = (struct rect){ body.x, body.y, left,
				   body.h - caption - words };
	l->caption = (struct rect){ body.x, body.y + l->source.h, left,
				    caption };
	if (words)
		l->lesson = (struct rect){ body.x, body.y + body.h - words,
					   left, words };
	l->picture = (struct rect){ right, body.y, body.w - left - 1,
				    body.h };
}

/* Puts one pane over the whole body; a picture keeps a row for its caption. */
static void layout_single(struct screen_layout *l, const struct frame_model *s,
			  struct rect body)
{
	if (s->pane == PANE_SOURCE) {
		l->source = body;
	} else if (s->pane == PANE_LESSON && s->lesson.title) {
		l->lesson = body;
	} else {
		l->picture = body;
		l->picture.h--;
		l->caption = (struct rect){ body.x, body.y + body.h - 1,
					    body.w, 1 };
	}
}

/* Tests whether the verdict has a line of its own: of a trace alone, where
 * there is room. */
static bool has_verdict_line(const struct frame_model *s, int h)
{
	return h >= 18 && !s->lesson.title && !s->beside && s->scene &&
	       s->scene->verdict &&
	       !(s->pane == PANE_PICTURE && view_picture(s)->judges);
}

void layout_make(struct screen_layout *l, int w, int h, const struct frame_model *s)
{
	struct rect body = { 0, 1, w, h - 3 };

	*l = (struct screen_layout){ .kind = LAYOUT_TOO_SMALL };
	if (w < LAYOUT_MIN_W || h < LAYOUT_MIN_H)
		return;
	if (has_verdict_line(s, h)) {
		l->verdict = (struct rect){ 0, 1, w, 1 };
		body.y++;
		body.h--;
	}
	l->header = (struct rect){ 0, 0, w, 1 };
	l->timeline = (struct rect){ 0, h - 2, w, 1 };
	l->keys = (struct rect){ 0, h - 1, w, 1 };
	if (w < 60 || h < 18 || s->pane != PANE_PICTURE) {
		l->kind = LAYOUT_SINGLE;
		layout_single(l, s, body);
	} else if (w >= 110 && h >= ROOMY && !s->presenter && !s->beside &&
		   !is_wide(s)) {
		l->kind = LAYOUT_BESIDE;
		layout_beside(l, s, body);
	} else {
		l->kind = LAYOUT_STRIPS;
		layout_strips(l, s, body);
	}
}
