/* The lesson's words, its question, and what came of the answer. */
#include <stdio.h>

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

/* The question with what came of it; returns the rows that it takes. */
static int draw_question(struct canvas *c, struct rect r, int skip,
			 const struct show_lesson *l)
{
	struct rect in = { r.x + 2, r.y, r.w - 2, r.h };
	int row = -skip, y = 0;

	if (!l->question)
		return 0;
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

/* How the pane is divided: the question keeps the rows that it needs and the
 * words begin at their beginning, or both stand side by side. */
struct parts {
	struct rect words, question;
	int word_rows, question_rows;	/* of all their text */
};

#define ASIDE 100	/* columns from which both stand side by side */

static struct parts divide(const struct show_lesson *l, struct rect in)
{
	bool aside = in.w >= ASIDE && l->question;
	int half = (in.w - 3) / 2;
	struct parts p = { .words = in, .question = in };

	if (aside) {
		p.words.w = p.question.w = half;
		p.question.x = in.x + in.w - half;
	}
	p.word_rows = prose_draw(NULL, (struct rect){ .w = p.words.w }, 0,
				 l->prose, l->prose_count);
	p.question_rows = draw_question(NULL,
					(struct rect){ .w = p.question.w }, 0,
					l);
	if (!aside && l->question) {
		p.question.h = MIN(p.question_rows, MAX(in.h - 1, 0));
		p.words.h = in.h - p.question.h;
		/* A row apart, where there is one. */
		if (p.words.h > p.word_rows)
			p.words.h = MAX(p.word_rows, p.words.h - 1);
		p.question.y = in.y + in.h - p.question.h;
		if (p.words.h == p.word_rows)
			p.question.y = MIN(p.question.y,
					   p.words.y + p.words.h + 1);
	}
	return p;
}

int lesson_rows(const struct show_lesson *l, int width, bool question)
{
	struct parts p = divide(l, (struct rect){ .w = width - 4 });
	int apart = l->question && width - 4 < ASIDE;

	if (question)
		return p.question_rows + 2;
	return (apart ? p.word_rows + 1 + p.question_rows :
			MAX(p.word_rows, p.question_rows)) + 2;
}

/* The pane's inside; in a low one a line above it has to do as a frame. */
static struct rect frame(struct canvas *c, struct rect r,
			 const struct show_lesson *l)
{
	const char *title = l->step_title ? l->step_title : _("lesson");
	char note[32];

	snprintf(note, sizeof(note), "%d/%d", l->step + 1, l->steps);
	if (c->h < 30) {
		canvas_frame(c, (struct rect){ r.x - 1, r.y, r.w + 2, 2 },
			     title, note, false);
		canvas_erase(c, (struct rect){ r.x, r.y + 1, r.w, 1 });
		return (struct rect){ r.x + 1, r.y + 1, r.w - 2, r.h - 1 };
	}
	r = canvas_frame(c, r, title, note, false);
	return (struct rect){ r.x + 1, r.y, r.w - 2, r.h };
}

/* Signs at the edges say that there is more. */
static void draw(struct canvas *c, struct rect r, const struct show *s)
{
	const struct show_lesson *l = &s->lesson;
	struct rect in = frame(c, r, l);
	struct parts p;
	int skip, below;

	if (in.w < 4 || in.h < 1)
		return;
	p = divide(l, in);
	if (s->presenter && s->pane == PANE_PICTURE) {
		draw_question(c, in, MAX(0, p.question_rows - in.h), l);
		return;
	}
	skip = MAX(0, MIN(l->scroll, p.word_rows - p.words.h));
	prose_draw(c, p.words, skip, l->prose, l->prose_count);
	/* What came of the answer stands at the end. */
	below = MAX(0, p.question_rows - p.question.h);
	draw_question(c, p.question, l->reply ? below :
		      MAX(0, MIN(below, l->scroll)), l);
	if (skip > 0)
		canvas_text(c, p.words.x + p.words.w - 1, r.y, 1,
			    "\xe2\x96\xb2", INK(ROLE_ACCENT));
	if (p.word_rows - skip > p.words.h)
		canvas_text(c, p.words.x + p.words.w - 1,
			    p.words.y + p.words.h - 1, 1, "\xe2\x96\xbc",
			    INK(ROLE_ACCENT));
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
