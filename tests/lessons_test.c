/*
 * What the lessons say: every claim, question and number of every lesson, in
 * both languages, on freshly recorded traces; and the rules that keep a
 * lesson readable.
 */
#include <stdlib.h>

#include "base/lang.h"
#include "timing/benchmark.h"
#include "reader/session.h"
#include "tap.h"
#include "base/text.h"

/* The room for a step's prose above its question, at 120x36. */
#define COLUMNS 46
#define ROWS 7
#define WORDS 75

static const char *file_of(const struct lesson *l)
{
	static char path[80];

	snprintf(path, sizeof(path), "lessons/%s%s%s.md",
		 strcmp(l->lang, "en") ? l->lang : "",
		 strcmp(l->lang, "en") ? "/" : "", l->name);
	return path;
}

/* ---- what it says ---- */

static bool evaluate(struct lesson_traces *t, size_t step, const char *expr,
		     struct value *v)
{
	struct error e;

	if (lesson_eval(t, step, expr, v, &e) == 0)
		return true;
	printf("#   %s: %s\n", expr, e.text);
	return false;
}

/* Words whose every {EXPR} has a value. */
static char *fill(struct lesson_traces *t, size_t step, const char *words)
{
	struct error e;
	char *filled = lesson_words(t, step, words, &e);

	if (!filled)
		printf("#   %s: %s\n", words, e.text);
	else if (strstr(filled, "n/a"))
		printf("#   no value: %s\n", filled);
	if (filled && !strstr(filled, "n/a"))
		return filled;
	free(filled);
	return NULL;
}

static bool fills(struct lesson_traces *t, size_t step, const char *words)
{
	char *filled = fill(t, step, words);
	bool good = filled != NULL;

	free(filled);
	return good;
}

static void check_expects(struct lesson_traces *t, size_t step)
{
	const struct lesson_step *s = &t->lesson->steps[step];
	struct value v;

	for (size_t i = 0; i < s->expect_count; i++)
		tap_ok(evaluate(t, step, s->expects[i].expr, &v) &&
		       value_true(&v), "%s:%d: expect %s", file_of(t->lesson),
		       s->expects[i].line, s->expects[i].expr);
}

/* All choices are there, and no two are the same. */
static bool choices_differ(struct lesson_traces *t, size_t step,
			   const struct lesson_question *q)
{
	char shown[8][80];
	struct value v;
	size_t n = 0;

	if (q->wrong_count > 3 || !evaluate(t, step, q->answer, &v) ||
	    v.kind == VALUE_NONE)
		return false;
	value_print(&v, shown[n++], sizeof(shown[0]));
	for (size_t i = 0; i < q->wrong_count; i++) {
		if (!evaluate(t, step, q->wrongs[i].expr, &v))
			return false;
		value_print(&v, shown[n], sizeof(shown[0]));
		for (size_t j = 0; j < n; j++) {
			if (strcmp(shown[j], shown[n]))
				continue;
			printf("#   %s twice\n", shown[n]);
			return false;
		}
		n++;
	}
	return true;
}

static void check_question(struct lesson_traces *t, size_t step,
			   const struct lesson_question *q)
{
	bool words = fills(t, step, q->words) &&
		     q->right && fills(t, step, q->right);

	for (size_t i = 0; i < q->wrong_count; i++)
		words = fills(t, step, q->wrongs[i].words) && words;
	tap_ok(words, "%s:%d: its words have their numbers",
	       file_of(t->lesson), q->line);
	tap_ok(choices_differ(t, step, q), "%s:%d: answer %s, and the wrong "
	       "ones are others", file_of(t->lesson), q->line, q->answer);
	tap_ok(q->wrong_count >= 2, "%s:%d: two misconceptions or more",
	       file_of(t->lesson), q->line);
}

/* ---- whether it can be read ---- */

/* Rows that a paragraph takes, and its words; Chinese breaks anywhere. */
static int paragraph_rows(const char *text, int *words)
{
	int rows = 1, column = 0, width;
	size_t n;

	for (; *text; text += n) {
		n = strcspn(text, " \n");
		if (!n) {
			rows += *text == '\n';
			column = *text == '\n' ? 0 : column + 1;
			n = 1;
			continue;
		}
		char *word = xstrndup(text, n);
		width = text_width(word);
		free(word);
		(*words)++;
		if (column + width > COLUMNS && width <= COLUMNS / 2) {
			rows++;
			column = 0;
		}
		column += width;
		rows += (column - 1) / COLUMNS;
		column = (column - 1) % COLUMNS + 1;
	}
	return rows;
}

static bool prose_fits(struct lesson_traces *t, size_t step)
{
	const struct lesson_step *s = &t->lesson->steps[step];
	int rows = 0, words = 0;
	struct str text;
	char *filled;

	for (size_t i = 0; i < s->prose_count; i++) {
		const struct lesson_paragraph *p = &s->prose[i];

		text = (struct str){ 0 };
		for (size_t j = 0; j < p->span_count; j++) {
			filled = fill(t, step, p->spans[j].text);
			if (!filled) {
				str_done(&text);
				return false;
			}
			str_add(&text, filled);
			free(filled);
		}
		/* Items stand together, paragraphs apart. */
		rows += i && !(p->kind == PARAGRAPH_ITEM &&
			       p[-1].kind == PARAGRAPH_ITEM);
		rows += paragraph_rows(text.data ? text.data : "", &words);
		rows -= p->kind == PARAGRAPH_CODE;
		str_done(&text);
	}
	if (rows > ROWS || words > WORDS)
		printf("#   %d rows, %d words\n", rows, words);
	return rows <= ROWS && words <= WORDS;
}

static void check_step(struct lesson_traces *t, size_t step)
{
	const struct lesson_step *s = &t->lesson->steps[step];
	const char *file = file_of(t->lesson);

	tap_ok(s->prose_count && prose_fits(t, step), "%s: '%s' fits",
	       file, s->title);
	tap_ok(s->has_stand && s->show_count, "%s: '%s' stands somewhere and "
	       "shows something", file, s->title);
	tap_ok(s->expect_count >= 2, "%s: '%s' has its claims tested", file,
	       s->title);
	check_expects(t, step);
	for (size_t i = 0; i < s->question_count; i++)
		check_question(t, step, &s->questions[i]);
}

static void check_lesson(const struct lesson *l, struct session *session)
{
	struct lesson_traces t = { .lesson = l };
	size_t questions = 0;

	for (size_t i = 0; i < l->record_count; i++)
		t.trace[i] = session->recordings[i].trace;
	for (size_t i = 0; i < l->step_count; i++) {
		questions += l->steps[i].question_count;
		check_step(&t, i);
	}
	tap_ok(l->step_count >= 6 && l->step_count <= 9,
	       "%s: six to nine steps", file_of(l));
	tap_ok(questions >= 3, "%s: three questions or more", file_of(l));
	lesson_traces_forget(&t);
}

/* ---- translations ---- */

static bool same(const char *a, const char *b)
{
	bool equal = a && b ? !strcmp(a, b) : a == b;

	if (!equal)
		printf("#   '%s' is not '%s'\n", a ? a : "", b ? b : "");
	return equal;
}

static bool same_record(const struct lesson_record *a,
			const struct lesson_record *b)
{
	bool equal = same(a->kernel, b->kernel) && same(a->alias, b->alias) &&
		     a->m == b->m && a->n == b->n && a->k == b->k &&
		     a->define_count == b->define_count;

	for (size_t i = 0; equal && i < a->define_count; i++)
		equal = same(a->defines[i].name, b->defines[i].name) &&
			same(a->defines[i].value, b->defines[i].value);
	return equal;
}

static bool same_question(const struct lesson_question *a,
			  const struct lesson_question *b)
{
	bool equal = same(a->answer, b->answer) &&
		     a->wrong_count == b->wrong_count;

	for (size_t i = 0; equal && i < a->wrong_count; i++)
		equal = same(a->wrongs[i].expr, b->wrongs[i].expr);
	return equal;
}

static bool same_stand(const struct lesson_stand *a,
		       const struct lesson_stand *b)
{
	return a->block_x == b->block_x && a->block_y == b->block_y &&
	       a->warp == b->warp && a->lane == b->lane && a->op == b->op &&
	       a->nth == b->nth && a->phase == b->phase &&
	       same(a->array, b->array);
}

static bool same_step(const struct lesson_step *a, const struct lesson_step *b)
{
	bool equal = same(a->use, b->use) && same_stand(&a->stand, &b->stand) &&
		     a->prose_count == b->prose_count &&
		     a->show_count == b->show_count &&
		     a->question_count == b->question_count &&
		     a->expect_count == b->expect_count;

	equal = equal && !a->race == !b->race &&
		(!a->race || json_equal(a->race->request, b->race->request));
	for (size_t i = 0; equal && i < a->prose_count; i++)
		equal = a->prose[i].kind == b->prose[i].kind;
	for (size_t i = 0; equal && i < a->show_count; i++)
		equal = same(a->shows[i], b->shows[i]);
	for (size_t i = 0; equal && i < a->question_count; i++)
		equal = same_question(&a->questions[i], &b->questions[i]);
	for (size_t i = 0; equal && i < a->expect_count; i++)
		equal = same(a->expects[i].expr, b->expects[i].expr);
	return equal;
}

static bool same_lesson(const struct lesson *a, const struct lesson *b)
{
	bool equal = a->record_count == b->record_count &&
		     a->step_count == b->step_count;

	for (size_t i = 0; equal && i < a->record_count; i++)
		equal = same_record(&a->records[i], &b->records[i]);
	for (size_t i = 0; i < MIN(a->step_count, b->step_count); i++) {
		bool step = same_step(&a->steps[i], &b->steps[i]);

		tap_ok(step, "%s: step '%s' is the English one's",
		       file_of(b), b->steps[i].title);
		equal = equal && step;
	}
	return equal;
}

static void check_translation(const struct lesson *l, struct session *session)
{
	struct error e = { .text = "" };
	struct lesson *zh = lesson_load(l->name, "zh", &e);

	if (!tap_ok(zh && !strcmp(zh->lang, "zh"),
		    "lessons/zh/%s.md is there", l->name))
		printf("#   %s\n", e.text);
	else if (tap_ok(same_lesson(l, zh), "%s: the same lesson", file_of(zh)))
		check_lesson(zh, session);
	lesson_free(zh);
}

/* ---- all of it ---- */

static bool recorded(const struct lesson *l, struct session *session)
{
	bool all = true;

	for (size_t i = 0; i < l->record_count; i++) {
		struct recording *r = &session->recordings[i];
		bool good = r->trace &&
			    !trace_info(r->trace)->finding_count;

		tap_ok(good, "%s:%d: %s is recorded, nothing is found",
		       file_of(l), l->records[i].line, l->records[i].alias);
		if (!r->trace)
			printf("#   %s\n", r->error.text);
		all = all && r->trace;
	}
	return all;
}

static void check_name(const char *name)
{
	struct error e = { .text = "" };
	struct lesson *l = lesson_load(name, "en", &e);
	struct session session;

	if (!tap_ok(l, "lessons/%s.md is there", name)) {
		printf("#   %s\n", e.text);
		return;
	}
	session_lesson(&session, l, NULL, NULL);
	session_wait(&session);
	if (recorded(l, &session)) {
		check_lesson(l, &session);
		check_translation(l, &session);
	}
	session_done(&session);
	lesson_free(l);
}

int main(int argc, char **argv)
{
	const char *const *names = lesson_names();

	lang_init("en");
	for (size_t i = 0; names[i]; i++)
		if (argc < 2 || !strcmp(argv[1], names[i]))
			check_name(names[i]);
	return tap_done();
}
