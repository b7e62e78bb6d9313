/* lesson_check: whether what a lesson says is so. */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "lesson/lesson.h"

/* What is looked at, and who is told. */
struct check {
	struct lesson_traces *traces;
	size_t step;
	lesson_verdict *tell;
	void *ctx;
};

/* NULL, or why the words have no numbers. */
static const char *words_fail(const struct check *c, const char *words,
			      struct error *e)
{
	char *filled = lesson_words(c->traces, c->step, words, e);
	bool whole = filled && !strstr(filled, _("n/a"));

	if (filled && !whole)
		error_set(e, EXIT_CHECK, _("a number is not available: %s"),
			  filled);
	free(filled);
	return whole ? NULL : e->text;
}

static void check_words(const struct check *c, int line, const char *what,
			const char *words)
{
	struct error e;

	c->tell(c->ctx, line, what, words_fail(c, words, &e));
}

static void check_prose(const struct check *c, const struct lesson_step *s)
{
	for (size_t i = 0; i < s->prose_count; i++) {
		const struct lesson_paragraph *p = &s->prose[i];
		const char *why = NULL;
		struct error e;

		for (size_t k = 0; k < p->span_count && !why; k++)
			why = words_fail(c, p->spans[k].text, &e);
		c->tell(c->ctx, p->line, _("the text"), why);
	}
}

static void check_stand(const struct check *c, const struct lesson_step *s)
{
	const struct lesson *l = c->traces->lesson;
	struct lesson_stand any = { .op = -1 };
	size_t warp;
	uint32_t request;
	struct error e;
	int status = lesson_stand_find(
		c->traces->trace[lesson_step_record(l, c->step)],
		s->has_stand ? &s->stand : &any, &warp, &request, &e);

	c->tell(c->ctx, s->line, _("where the step stands"),
		status < 0 ? e.text : NULL);
}

static void check_expect(const struct check *c, const struct lesson_expect *x)
{
	char *what = xasprintf("expect %s", x->expr);
	const char *why = NULL;
	struct value v;
	struct error e;

	if (lesson_eval(c->traces, c->step, x->expr, &v, &e) < 0)
		why = e.text;
	else if (v.kind == VALUE_NONE)
		why = _("has no value");
	else if (!value_true(&v))
		why = _("does not hold");
	c->tell(c->ctx, x->line, what, why);
	free(what);
}

/* NULL and the value as it is shown, or why there is none. */
static const char *choice_fail(const struct check *c, const char *expr,
			       char shown[80], struct error *e)
{
	struct value v;

	if (lesson_eval(c->traces, c->step, expr, &v, e) < 0)
		return e->text;
	value_print(&v, shown, 80);
	return v.kind == VALUE_NONE ? _("has no value") : NULL;
}

static void check_answer(const struct check *c, const char *kind, int line,
			 const char *expr, char shown[][80], size_t before)
{
	char *what = xasprintf("%s %s", kind, expr);
	struct error e;
	const char *why = choice_fail(c, expr, shown[before], &e);

	for (size_t i = 0; i < before && !why; i++) {
		if (strcmp(shown[i], shown[before]))
			continue;
		error_set(&e, EXIT_CHECK,
			  _("has the same value as another answer: %s"),
			  shown[i]);
		why = e.text;
	}
	c->tell(c->ctx, line, what, why);
	free(what);
}

static void check_question(const struct check *c,
			   const struct lesson_question *q)
{
	char shown[1 + LESSON_MAX_WRONGS][80] = { "" };
	size_t wrongs = MIN(q->wrong_count, LESSON_MAX_WRONGS);

	check_words(c, q->line, "ask", q->words);
	c->tell(c->ctx, q->line, _("wrong answers"),
		q->wrong_count <= LESSON_MAX_WRONGS ? NULL :
		_("at most three can be shown"));
	check_answer(c, "answer", q->answer_line, q->answer, shown, 0);
	for (size_t i = 0; i < wrongs; i++) {
		check_answer(c, "wrong", q->wrongs[i].line, q->wrongs[i].expr,
			     shown, i + 1);
		check_words(c, q->wrongs[i].line, "wrong",
			    q->wrongs[i].words);
	}
	if (q->right)
		check_words(c, q->right_line, "right", q->right);
}

void lesson_check(struct lesson_traces *traces, lesson_verdict *tell,
		  void *ctx)
{
	struct check c = { .traces = traces, .tell = tell, .ctx = ctx };

	for (; c.step < traces->lesson->step_count; c.step++) {
		const struct lesson_step *s = &traces->lesson->steps[c.step];

		check_stand(&c, s);
		check_prose(&c, s);
		for (size_t i = 0; i < s->expect_count; i++)
			check_expect(&c, &s->expects[i]);
		for (size_t i = 0; i < s->question_count; i++)
			check_question(&c, &s->questions[i]);
	}
}
