/* lesson_check: whether a lesson's claims hold. */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "lesson/lesson.h"

/* What is being checked, and the function that gets the verdicts. */
struct lesson_checker {
	struct lesson_traces *traces;
	size_t step;
	lesson_verdict *tell;
	void *ctx;
};

/* Checks that the words have numbers. Returns NULL, or why not. */
static const char *find_words_fault(const struct lesson_checker *c,
				    const char *words, struct error *e)
{
	char *filled = lesson_words(c->traces, c->step, words, e);
	bool whole = filled && !strstr(filled, _("n/a"));

	if (filled && !whole)
		error_set(e, EXIT_CHECK, _("a number is not available: %s"),
			  filled);
	free(filled);
	return whole ? NULL : e->text;
}

static void check_words(const struct lesson_checker *c, int line,
			const char *what, const char *words)
{
	struct error e;

	c->tell(c->ctx, line, what, find_words_fault(c, words, &e));
}

static void check_prose(const struct lesson_checker *c,
			const struct lesson_step *s)
{
	for (size_t i = 0; i < s->prose_count; i++) {
		const struct lesson_paragraph *p = &s->prose[i];
		const char *why = NULL;
		struct error e;

		for (size_t k = 0; k < p->span_count && !why; k++)
			why = find_words_fault(c, p->spans[k].text, &e);
		c->tell(c->ctx, p->line, _("the text"), why);
	}
}

static void check_stand(const struct lesson_checker *c,
			const struct lesson_step *s)
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

static void check_expect(const struct lesson_checker *c,
			 const struct lesson_expect *x)
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

/* Without draws each answer must be shown, and differ from the others. */
static const char *plain_fail(const struct lesson_question *q,
			      const struct lesson_choice *choices, size_t count,
			      struct error *e)
{
	uint32_t shown = 0;

	if (q->wrong_count > LESSON_MAX_WRONGS)
		return _("at most three can be shown");
	for (size_t i = 0; i < count; i++)
		shown |= choices[i].wrong < 0 ? 0 : 1u << choices[i].wrong;
	for (size_t i = 0; i < q->wrong_count; i++) {
		if (shown >> i & 1)
			continue;
		error_set(e, EXIT_CHECK,
			  _("%s has the same value as another answer"),
			  q->wrongs[i].expr);
		return e->text;
	}
	return NULL;
}

/* Checks the answers to choose from. Returns NULL, or what is wrong with
 * them. */
static const char *find_choices_fault(const struct lesson_checker *c,
				      const struct lesson_question *q,
				      struct error *e)
{
	struct lesson_choice choices[LESSON_CHOICES];
	size_t n = lesson_choices(c->traces, c->step, q, choices, e);

	if (!n)
		return e->text;
	if (!q->draw_count)
		return plain_fail(q, choices, n, e);
	return n < 3 ? _("fewer than two wrong answers are left") : NULL;
}

/* Words of a question, and why they cannot be said. */
struct checked_words { const char *what, *words; int line; char *why; };

/* Calls `tell` for the words and frees why. */
static void tell_said(const struct lesson_checker *c, struct checked_words *s)
{
	c->tell(c->ctx, s->line, s->what, s->why);
	free(s->why);
}

static void note_why(const struct lesson_checker *c, const char *why,
		     char **first)
{
	const struct lesson_drawn *d = &c->traces->drawn;
	struct str all = {0};

	if (!why || *first)
		return;
	str_add(&all, why);
	for (size_t i = 0; i < d->question->draw_count; i++)
		str_addf(&all, "%s%s = %lld", i ? ", " : "; ",
			 d->question->draws[i].name, (long long)d->value[i]);
	*first = str_take(&all);
}

/* Checks the choices and all words for the numbers that were drawn. */
static void check_drawn(const struct lesson_checker *c,
			const struct lesson_question *q,
			struct checked_words *said, size_t count)
{
	struct error e;

	note_why(c, find_choices_fault(c, q, &e), &said->why);
	for (size_t i = 1; i < count; i++)
		note_why(c, find_words_fault(c, said[i].words, &e),
			 &said[i].why);
}

static void check_question(const struct lesson_checker *c,
			   const struct lesson_question *q)
{
	size_t count = 0;
	struct checked_words *said = xcalloc(q->wrong_count + 3, sizeof(*said));
	uint64_t seeds = q->draw_count ? LESSON_SEEDS : 1;

	said[count++] = (struct checked_words){ .what = _("answers"),
						.line = q->answer_line };
	said[count++] = (struct checked_words){ .what = "ask",
						.words = q->words,
						.line = q->line };
	for (size_t i = 0; i < q->wrong_count; i++)
		said[count++] = (struct checked_words){ .what = "wrong",
					       .words = q->wrongs[i].words,
					       .line = q->wrongs[i].line };
	if (q->right)
		said[count++] = (struct checked_words){ .what = "right",
					       .words = q->right,
					       .line = q->right_line };
	for (uint64_t seed = 0; seed < seeds; seed++) {
		lesson_draw(c->traces, q, seed);
		check_drawn(c, q, said, count);
	}
	lesson_draw(c->traces, NULL, 0);
	for (size_t i = 0; i < count; i++)
		tell_said(c, &said[i]);
	free(said);
}

static void check_learned(const struct lesson_checker *c,
			  const struct lesson_step *s)
{
	struct value v = { .kind = VALUE_NONE };
	const char *why = NULL;
	struct error e;

	if (lesson_eval(c->traces, c->step, s->learned, &v, &e) < 0)
		why = e.text;
	else if (v.kind != VALUE_INT && v.kind != VALUE_REAL)
		why = _("is no number");
	c->tell(c->ctx, s->learned_line, "learned", why);
	check_words(c, s->learned_line, "learned", s->learned_words);
}

void lesson_check(struct lesson_traces *traces, lesson_verdict *tell,
		  void *ctx)
{
	struct lesson_checker c = { .traces = traces,
				    .tell = tell,
				    .ctx = ctx };

	for (; c.step < traces->lesson->step_count; c.step++) {
		const struct lesson_step *s = &traces->lesson->steps[c.step];

		check_stand(&c, s);
		check_prose(&c, s);
		for (size_t i = 0; i < s->expect_count; i++)
			check_expect(&c, &s->expects[i]);
		for (size_t i = 0; i < s->question_count; i++)
			check_question(&c, &s->questions[i]);
		for (size_t i = 0; i < s->note_count; i++)
			check_words(&c, s->notes[i].line, "note",
				    s->notes[i].words);
		if (s->learned)
			check_learned(&c, s);
	}
}
