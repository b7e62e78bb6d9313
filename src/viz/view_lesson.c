/* The lesson's words, its question, and what came of the answer. */
#include <stdlib.h>

#include "viz/show.h"
#include "base/text.h"

/* " a  8  " and room for the sign of a right or a wrong one. */
static int choice_width(const struct show_lesson *l, int i)
{
	return 4 + text_width(l->choices[i]) + 3;
}

/* Choices beside each other while they fit. Returns the row behind them. */
static int draw_choices(struct canvas *c, struct rect r, int skip, int y,
			const struct show_lesson *l)
{
	int x = 2;

	for (int i = 0; i < l->choice_count; i++) {
		bool right = l->answered && i == l->chosen;
		const char *sign = right ? " \xe2\x9c\x93" :
				   l->tried[i] ? " \xe2\x9c\x97" : "";
		int row;

		if (x > 2 && x + choice_width(l, i) - 1 > r.w) {
			x = 2;
			y++;
		}
		row = y - skip;
		if (row >= 0 && row < r.h) {
			canvas_textf(c, r.x + x, r.y + row, 3,
				     INK_ON(ROLE_STRONG, ROLE_KEY), " %c ",
				     'a' + i);
			canvas_textf(c, r.x + x + 4, r.y + row, r.w - x - 4,
				     right ? INK_BOLD(ROLE_GOOD) :
				     INK(l->tried[i] ? ROLE_BAD : ROLE_TEXT),
				     "%s%s", l->choices[i], sign);
		}
		x += choice_width(l, i);
	}
	return y + (l->choice_count > 0);
}

/* The part below the prose; returns the row behind it. */
static int draw_question(struct canvas *c, struct rect r, int skip, int y,
			 const struct show_lesson *l)
{
	struct rect in = { r.x + 2, r.y, r.w - 2, r.h };
	int row;

	if (!l->question)
		return y;
	y++;
	row = y - skip;
	if (row >= 0 && row < r.h)
		canvas_text(c, r.x, r.y + row, 1, "?",
			    (struct ink){ ROLE_ON_HUE, ROLE_HUE0, ATTR_BOLD });
	y += prose_text(c, in, skip - y, l->question, INK_BOLD(ROLE_STRONG));
	y = draw_choices(c, r, skip, y, l);
	/* A reply stands in its place until something is typed again. */
	if (!l->answered && (!l->reply || l->typed[0])) {
		row = y - skip;
		if (row >= 0 && row < r.h)
			canvas_textf(c, r.x + 2, r.y + row, r.w - 2,
				     INK(ROLE_DIM), "%s %s",
				     _("a letter, or type the answer:"),
				     l->typed);
		y++;
	}
	if (l->reply) {
		y += !l->answered ? 0 : 1;
		y += prose_text(c, in, skip - y, l->reply,
				INK(l->reply_good ? ROLE_GOOD : ROLE_BAD));
	}
	return y;
}

int lesson_rows(const struct show_lesson *l, int width)
{
	struct rect none = { 0, 0, width - 4, 0 };

	return draw_question(NULL, none, 0,
			     prose_draw(NULL, none, 0, l->prose,
					l->prose_count), l) + 2;
}

/*
 * What does not fit is said at the edges. When a question is open its end is
 * kept in view: the reader has to see what to answer.
 */
static void draw(struct canvas *c, struct rect r, const struct show *s)
{
	const struct show_lesson *l = &s->lesson;
	char note[32];
	struct rect in;
	int rows = lesson_rows(l, r.w) - 2, skip, y;

	snprintf(note, sizeof(note), "%d/%d", l->step + 1, l->steps);
	in = canvas_frame(c, r, l->step_title ? l->step_title : _("lesson"),
			  note, false);
	in.x++;
	in.w -= 2;
	if (in.w < 4 || in.h < 1)
		return;
	skip = MAX(0, rows - in.h);
	skip = MAX(0, MIN(skip, (l->question ? skip : 0) + l->scroll));
	y = prose_draw(c, in, skip, l->prose, l->prose_count);
	draw_question(c, in, skip, y, l);
	if (skip > 0)
		canvas_text(c, in.x + in.w - 1, r.y, 1, "\xe2\x96\xb2",
			    INK(ROLE_ACCENT));
	if (rows - skip > in.h)
		canvas_text(c, in.x + in.w - 1, r.y + r.h - 1, 1,
			    "\xe2\x96\xbc", INK(ROLE_ACCENT));
}

static bool available(const struct show *s)
{
	return s->lesson.title;
}

const struct view view_lesson = {
	.name = "lesson",
	.title = N_("lesson"),
	.help = N_("the step's text and its question"),
	.pane = PANE_LESSON,
	.available = available,
	.draw = draw,
};
