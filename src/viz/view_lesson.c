/* Draws the lesson's text, its question, and the reply to the answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "viz/frame_model.h"
#include "base/text.h"

/* Returns the columns of a choice: " a  8  " and the sign of a right or a wrong
 * one. */
static int choice_width(const struct show_lesson *l, int i)
{
	return 4 + text_width(l->choices[i]) + 3;
}

/* Returns the place of a choice below the question: side by side as far as they
 * fit. */
static struct rect choice_place(const struct show_lesson *l, int width, int at)
{
	struct rect r = { 2, 0, 0, 1 };

	for (int i = 0; i <= at; i++) {
		r.x += r.w;
		r.w = choice_width(l, i);
		if (r.x > 2 && r.x + r.w - 1 > width) {
			r.x = 2;
			r.y++;
		}
	}
	return r;
}

/* Draws the choices. Returns the row after them. */
static int draw_choices(struct canvas *c, struct rect r, int skip, int y,
			const struct show_lesson *l)
{
	struct rect at = { .y = -1 };

	for (int i = 0; i < l->choice_count; i++) {
		bool right = l->answered && i == l->chosen;
		const char *sign = right ? " \xe2\x9c\x93" :
				   l->tried[i] ? " \xe2\x9c\x97" : "";
		int row;

		at = choice_place(l, r.w, i);
		row = y + at.y - skip;
		if (row < 0 || row >= r.h)
			continue;
		canvas_textf(c, r.x + at.x, r.y + row, 3,
			     INK_ON(ROLE_STRONG, ROLE_KEY), " %c ", 'a' + i);
		canvas_textf(c, r.x + at.x + 4, r.y + row, r.w - at.x - 4,
			     right ? INK_BOLD(ROLE_GOOD) :
			     INK(l->tried[i] ? ROLE_BAD : ROLE_TEXT),
			     "%s%s", l->choices[i], sign);
	}
	return y + at.y + 1;
}

/* Draws the question, its choices and the reply. Returns the rows that they
 * take. */
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
	/* What is typed; before that, the reply to the last answer. */
	if (!l->answered && (l->typed[0] || (!l->reply && !l->choice_count))) {
		row = y - skip;
		if (row >= 0 && row < r.h)
			canvas_textf(c, r.x + 2, r.y + row, r.w - 2,
				     INK(ROLE_DIM), "%s %s",
				     _("a letter, or type the answer:"),
				     l->typed);
		y++;
	}
	if (l->reply) {
		y += prose_text(c, in, skip - y, l->reply,
				INK(l->reply_good ? ROLE_GOOD : ROLE_BAD));
	}
	return y;
}

/* Returns the rows of a question with its choices, and those of its longest
 * reply. */
static int text_rows(const struct show_text *t, int width)
{
	struct show_lesson l = { .question = t->question,
				 .choice_count = t->choice_count };
	struct rect r = { .w = width };
	int most = 1, rows;	/* of what is typed */

	for (int i = 0; i < t->choice_count; i++)
		l.choices[i] = t->choices[i];
	l.answered = true;
	rows = draw_question(NULL, r, 0, &l);
	for (int i = 0; i < t->reply_count; i++)
		most = MAX(most, prose_text(NULL, (struct rect){ .w = width - 2 },
					    0, t->replies[i],
					    INK(ROLE_TEXT)));
	return rows + most;
}

/* Returns the rows that the question takes, or may take: as many as the step's
 * longest with its longest reply. */
static int kept_rows(const struct show_lesson *l, int width)
{
	int rows = draw_question(NULL, (struct rect){ .w = width }, 0, l);

	for (size_t i = 0; l->question && i < l->text_count; i++)
		rows = MAX(rows, text_rows(&l->texts[i], width));
	return rows;
}

/* How the pane is divided: the question gets the rows that it needs and the
 * text is shown from its start; or both stand side by side. Until there is a
 * reply, its rows are the text's, if that is longer than the others. */
struct parts {
	struct rect words, question;
	int word_rows, question_rows;	/* of all their text, */
	int kept_rows;	/* and with the longest reply */
};

#define ASIDE 100	/* columns from which both stand side by side */

static struct parts divide_pane(const struct show_lesson *l, struct rect in)
{
	bool aside = in.w >= ASIDE && l->question && l->prose_count;
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
	p.kept_rows = kept_rows(l, p.question.w);
	if (!aside && l->question && l->prose_count) {
		p.question.h = MIN(p.kept_rows,
				   MAX(in.h - 1, 0));
		if (!l->reply)
			p.question.h = MIN(p.question.h,
					   MAX(p.question_rows,
					       in.h - p.word_rows));
		p.words.h = in.h - p.question.h;
		/* A blank row between them, if there is one. */
		if (p.words.h > p.word_rows)
			p.words.h = MAX(p.word_rows, p.words.h - 1);
		p.question.y = in.y + in.h - p.question.h;
		if (p.words.h == p.word_rows)
			p.question.y = MIN(p.question.y,
					   p.words.y + p.words.h + 1);
	}
	return p;
}

/* A lesson whose step has its first sentence alone. */
struct brief_lesson {
	struct show_lesson lesson;
	struct lesson_paragraph paragraph;
	struct lesson_span span;
};

/* Returns the lesson as it is shown: on a projector next to a picture, the
 * step's first sentence. `b` keeps it; brief_done() frees what that holds. */
static const struct show_lesson *shown_lesson(struct brief_lesson *b,
					      const struct show_lesson *l,
					      bool brief)
{
	const struct lesson_paragraph *p = l->prose;
	struct str text = {0};

	*b = (struct brief_lesson){ .lesson = *l };
	if (!brief || !l->prose_count)
		return l;
	for (size_t i = 0; i < p->span_count; i++)
		str_add(&text, p->spans[i].text);
	b->span.text = str_take(&text);
	b->span.text[sentence_bytes(b->span.text)] = 0;
	b->paragraph = *p;
	b->paragraph.spans = &b->span;
	b->paragraph.span_count = 1;
	b->lesson.prose = &b->paragraph;
	b->lesson.prose_count = 1;
	return &b->lesson;
}

static void brief_done(struct brief_lesson *b)
{
	free(b->span.text);
}

static int pane_rows(const struct show_lesson *l, int width)
{
	struct parts p = divide_pane(l, (struct rect){ .w = width - 4 });
	int apart = l->question && width - 4 < ASIDE;

	return (apart ? p.word_rows + 1 + p.kept_rows :
			MAX(p.word_rows, p.kept_rows)) + 2;
}

int lesson_rows(const struct show_lesson *l, int width, bool brief)
{
	struct brief_lesson b;
	int rows = pane_rows(shown_lesson(&b, l, brief), width);

	brief_done(&b);
	return rows;
}

/* Returns the inside of the pane r on a screen of h rows; on a low screen its
 * frame is only a line above it. */
static struct rect lesson_inside(struct rect r, int h)
{
	bool low = h < 30;

	return (struct rect){ r.x + 1 + !low, r.y + 1, r.w - 2 - 2 * !low,
			      r.h - 1 - !low };
}

static void draw_lesson_frame(struct canvas *c, struct rect r,
			      const struct show_lesson *l)
{
	const char *title = l->step_title ? l->step_title : _("lesson");
	char steps[32];
	const char *note = l->steps ? steps : NULL;

	snprintf(steps, sizeof(steps), "%d/%d", l->step + 1, l->steps);
	if (c->h < 30) {
		canvas_frame(c, (struct rect){ r.x - 1, r.y, r.w + 2, 2 },
			     title, note, false);
		canvas_erase(c, (struct rect){ r.x, r.y + 1, r.w, 1 });
	} else {
		canvas_frame(c, r, title, note, false);
	}
}

/* Returns the question's rectangle, and sets how many of its rows are scrolled
 * out. */
static struct rect question_place(const struct frame_model *s,
				  const struct parts *p, int *skip)
{
	struct rect r = p->question;
	int below = MAX(0, p->question_rows - r.h);

	/* The reply stands at the end. */
	*skip = s->lesson.reply ? below :
		MAX(0, MIN(below, s->lesson.scroll));
	return r;
}

/* Draws the text; arrows at the edges show that there is more, in a column that
 * the text leaves free. */
static void draw_lesson_text(struct canvas *c, struct rect r,
			     const struct show_lesson *l, int rows)
{
	int x = r.x + r.w - 1, skip;

	if (rows > r.h)
		rows = prose_draw(NULL, (struct rect){ .w = --r.w }, 0,
				  l->prose, l->prose_count);
	skip = MAX(0, MIN(l->scroll, rows - r.h));
	prose_draw(c, r, skip, l->prose, l->prose_count);
	if (skip > 0)
		canvas_text(c, x, r.y - 1, 1, "\xe2\x96\xb2",
			    INK(ROLE_ACCENT));
	if (rows - skip > r.h)
		canvas_text(c, x, r.y + r.h - 1, 1, "\xe2\x96\xbc",
			    INK(ROLE_ACCENT));
}

static bool is_brief(const struct frame_model *s)
{
	return s->presenter && s->pane == PANE_PICTURE;
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	struct rect in = lesson_inside(r, c->h), question;
	struct brief_lesson b;
	const struct show_lesson *l = shown_lesson(&b, &s->lesson, is_brief(s));
	struct parts p;
	int skip;

	draw_lesson_frame(c, r, l);
	if (in.w >= 4 && in.h >= 1) {
		p = divide_pane(l, in);
		question = question_place(s, &p, &skip);
		draw_lesson_text(c, p.words, l, p.word_rows);
		draw_question(c, question, skip, l);
	}
	brief_done(&b);
}

int lesson_choice_at(const struct frame_model *s, struct rect r, int h, int x, int y)
{
	const struct show_lesson *l = &s->lesson;
	struct rect in = lesson_inside(r, h), question;
	struct brief_lesson b;
	struct parts p;
	int skip, rows;

	if (in.w < 4 || in.h < 1 || !l->question)
		return -1;
	p = divide_pane(shown_lesson(&b, l, is_brief(s)), in);
	brief_done(&b);
	question = question_place(s, &p, &skip);
	rows = prose_text(NULL, (struct rect){ .w = question.w - 2 }, 0,
			  l->question, INK(ROLE_TEXT));
	for (int i = 0; i < l->choice_count; i++) {
		struct rect at = choice_place(l, question.w, i);

		if (y - question.y == rows + at.y - skip &&
		    x - question.x >= at.x && x - question.x < at.x + at.w)
			return i;
	}
	return -1;
}

static bool available(const struct frame_model *s)
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
