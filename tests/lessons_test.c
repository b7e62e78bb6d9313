/*
 * What the lessons say: every claim, question and number of every lesson, in
 * both languages, on freshly recorded traces; and the rules that keep a
 * lesson readable.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "timing/benchmark.h"
#include "app/session.h"
#include "tap.h"
#include "base/text.h"

/* The room for a step's prose above its question, at 120x36. */
#define COLUMNS 46
#define ROWS 7
#define WORDS 75
/* The room for a question, its choices and the reply, in the same pane. */
#define QUESTION_COLUMNS 54
/* Before something moves or is asked. */
#define SENTENCES 3
/* The room for a subtitle on the map, at 120x36. */
#define SUBTITLE 29

static const char *file_of(const struct lesson *l)
{
	return l->path + strlen(paths()->lessons) - strlen("lessons");
}

/* ---- what it says ---- */

static void tell(void *ctx, int line, const char *what, const char *why)
{
	const struct lesson_traces *t = ctx;

	tap_ok(!why, "%s:%d: %s", file_of(t->lesson), line, what);
	if (why)
		printf("#   %s\n", why);
}

/* Words with their numbers, which lesson_check() has found. */
static char *fill(struct lesson_traces *t, size_t step, const char *words)
{
	struct error e;
	char *filled = lesson_words(t, step, words, &e);

	return filled ? filled : xstrdup("");
}

/* ---- whether it can be read ---- */

/* Rows that a paragraph takes in so many columns, and its words; Chinese breaks
 * anywhere. */
static int paragraph_rows(const char *text, int columns, int *words)
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
		if (column + width > columns && width <= columns / 2) {
			rows++;
			column = 0;
		}
		column += width;
		rows += (column - 1) / columns;
		column = (column - 1) % columns + 1;
	}
	return rows;
}

/* The ends of sentences, in English and in Chinese. */
static int sentences(const char *text)
{
	static const char *const wide[] = { "\xe3\x80\x82", "\xef\xbc\x81",
					    "\xef\xbc\x9f" };
	int n = 0;

	for (const char *p = text; *p; p++) {
		n += strchr(".!?", *p) && (!p[1] || p[1] == ' ');
		for (size_t i = 0; i < LENGTH(wide); i++)
			n += !strncmp(p, wide[i], 3);
	}
	return n;
}

/* Not in code, and not of the items of a list. */
static bool few_sentences(const struct lesson_step *s)
{
	int n = 0;

	for (size_t i = 0; i < s->prose_count; i++) {
		const struct lesson_paragraph *p = &s->prose[i];
		struct str text = { 0 };

		for (size_t j = 0; p->kind == PARAGRAPH_TEXT &&
				   j < p->span_count; j++)
			str_add(&text, p->spans[j].style & SPAN_CODE ? "x" :
				       p->spans[j].text);
		n += sentences(text.data ? text.data : "");
		str_done(&text);
	}
	return n <= SENTENCES;
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
			str_add(&text, filled);
			free(filled);
		}
		/* Items stand together, paragraphs apart. */
		rows += i && !(p->kind == PARAGRAPH_ITEM &&
			       p[-1].kind == PARAGRAPH_ITEM);
		rows += paragraph_rows(text.data ? text.data : "", COLUMNS,
				       &words);
		rows -= p->kind == PARAGRAPH_CODE;
		str_done(&text);
	}
	if (rows > ROWS || words > WORDS)
		printf("#   %d rows, %d words\n", rows, words);
	return rows <= ROWS && words <= WORDS;
}

/* Whether a question can still be read when it is answered rightly. */
static void check_room(struct lesson_traces *t, size_t step,
		       const struct lesson_question *q)
{
	int rows = 1, unused = 0;
	char *asked, *right;

	lesson_draw(t, q, 0);
	asked = fill(t, step, q->words);
	right = fill(t, step, q->right ? q->right : "");
	rows += paragraph_rows(asked, QUESTION_COLUMNS, &unused) +
		paragraph_rows(right, QUESTION_COLUMNS, &unused);
	if (!tap_ok(rows <= ROWS, "%s:%d: question and reply have room",
		    file_of(t->lesson), q->line))
		printf("#   %d rows\n", rows);
	free(asked);
	free(right);
	lesson_draw(t, NULL, 0);
}

static void check_step(struct lesson_traces *t, size_t step)
{
	const struct lesson_step *s = &t->lesson->steps[step];
	const char *file = file_of(t->lesson);

	tap_ok(s->prose_count && prose_fits(t, step), "%s: '%s' fits",
	       file, s->title);
	tap_ok(few_sentences(s), "%s: '%s' says little before it asks", file,
	       s->title);
	tap_ok(s->has_stand && s->show_count, "%s: '%s' stands somewhere and "
	       "shows something", file, s->title);
	tap_ok(s->expect_count >= 2, "%s: '%s' has its claims tested", file,
	       s->title);
	for (size_t i = 0; i < s->question_count; i++)
		tap_ok(s->questions[i].wrong_count >= 2 &&
		       s->questions[i].right,
		       "%s:%d: two misconceptions or more, and a reply to who "
		       "is right", file, s->questions[i].line);
	for (size_t i = 0; i < s->question_count; i++)
		check_room(t, step, &s->questions[i]);
}

/* Whether the question asks for a measured ratio or speed, which nobody can
 * work out. */
static bool asks_measured(const struct lesson_question *q)
{
	static const char *const measured[] = { "race_ratio(", "race_share(",
						"race_tflops(", "streams_ms(" };

	for (size_t i = 0; !q->draw_count && i < LENGTH(measured); i++)
		if (strstr(q->answer, measured[i]))
			return true;
	return false;
}

/* A question for a guess says so. */
static void check_guesses(const struct lesson *l, const struct lesson_step *s)
{
	for (size_t i = 0; i < s->question_count; i++) {
		const struct lesson_question *q = &s->questions[i];

		if (asks_measured(q))
			tap_ok(strstr(q->words, "Guess: ") == q->words ||
			       strstr(q->words, "\xe7\x8c\x9c\xe4\xb8\x80"
						"\xe7\x8c\x9c") == q->words,
			       "%s:%d: a guess is called one", file_of(l),
			       q->line);
	}
}

/* Returns the columns of the title's part after its colon, which the map shows
 * below the lesson's name. */
static int subtitle_columns(const struct lesson *l)
{
	const char *wide = strstr(l->title, "\xef\xbc\x9a");
	const char *plain = strstr(l->title, ": ");

	return wide ? text_width(wide + 3) : plain ? text_width(plain + 2) : 0;
}

/* What the course asks of a lesson as a whole. */
static void check_whole(const struct lesson *l)
{
	size_t questions = 0, drawn = 0;

	for (size_t i = 0; i < l->step_count; i++) {
		const struct lesson_step *s = &l->steps[i];

		questions += s->question_count;
		check_guesses(l, s);
		for (size_t k = 0; k < s->question_count; k++)
			drawn += s->questions[k].draw_count > 0;
	}
	tap_ok(l->step_count >= 6 && l->step_count <= 12,
	       "%s: six to twelve steps", file_of(l));
	tap_ok(l->steps[l->step_count - 1].learned,
	       "%s: the last step ends in what was learned", file_of(l));
	tap_ok(subtitle_columns(l) <= SUBTITLE,
	       "%s: the map has room for its subtitle", file_of(l));
	tap_ok(questions >= 4, "%s: four questions or more", file_of(l));
	tap_ok(2 * drawn >= questions,
	       "%s: half of the questions draw numbers", file_of(l));
}

/* How often each letter is right, of questions with four choices. */
static int letters[LESSON_CHOICES], four_choices;
#define LETTER_SEEDS 4	/* of those that draw numbers */

/* Counts the letters of a question for some seeds; one without `draw` has the
 * same choices each time, and counts as often. */
static void count_letters(struct lesson_traces *t, size_t step,
			  const struct lesson_question *q)
{
	struct lesson_choice c[LESSON_CHOICES];
	struct error e;

	for (uint64_t seed = 0; seed < LETTER_SEEDS; seed++) {
		lesson_draw(t, q, seed);
		if (lesson_choices(t, step, q, c, &e) != LESSON_CHOICES)
			continue;
		four_choices++;
		for (int i = 0; i < LESSON_CHOICES; i++)
			letters[i] += c[i].wrong < 0;
	}
	lesson_draw(t, NULL, 0);
}

/* Who always takes the same letter gets a quarter right, not nearly half. */
static void check_letters(void)
{
	for (int i = 0; i < LESSON_CHOICES; i++)
		if (!tap_ok(10 * letters[i] <= 3 * four_choices,
			    "at most 30 %% of the answers are %c", 'a' + i))
			printf("# %d of %d\n", letters[i], four_choices);
}

static void check_lesson(const struct lesson *l, struct session *session)
{
	struct lesson_traces t = { .lesson = l };

	for (size_t i = 0; i < l->record_count; i++)
		t.trace[i] = session->recordings[i].trace;
	lesson_check(&t, tell, &t);
	for (size_t i = 0; i < l->step_count; i++)
		check_step(&t, i);
	for (size_t i = 0; i < l->step_count; i++)
		for (size_t k = 0; k < l->steps[i].question_count; k++)
			count_letters(&t, i, &l->steps[i].questions[k]);
	check_whole(l);
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
		     a->spaces == b->spaces && a->no_values == b->no_values &&
		     a->define_count == b->define_count;

	for (size_t i = 0; equal && i < a->define_count; i++)
		equal = same(a->defines[i].name, b->defines[i].name) &&
			same(a->defines[i].value, b->defines[i].value);
	return equal;
}

static bool same_draw(const struct lesson_draw *a, const struct lesson_draw *b)
{
	return same(a->name, b->name) && a->low == b->low &&
	       a->high == b->high && a->value_count == b->value_count &&
	       (!a->values || !memcmp(a->values, b->values, a->value_count *
				      sizeof(*a->values)));
}

static bool same_question(const struct lesson_question *a,
			  const struct lesson_question *b)
{
	bool equal = same(a->answer, b->answer) &&
		     a->wrong_count == b->wrong_count &&
		     a->draw_count == b->draw_count;

	for (size_t i = 0; equal && i < a->draw_count; i++)
		equal = same_draw(&a->draws[i], &b->draws[i]);

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

static bool same_race(const struct benchmark_plan *a,
		      const struct benchmark_plan *b)
{
	json_t *x, *y;
	bool same;

	if (!a || !b)
		return a == b;
	x = job_time_message(&a->job);
	y = job_time_message(&b->job);
	same = json_equal(x, y);
	json_decref(x);
	json_decref(y);
	return same;
}

static bool same_step(const struct lesson_step *a, const struct lesson_step *b)
{
	bool equal = same(a->use, b->use) && same_stand(&a->stand, &b->stand) &&
		     a->prose_count == b->prose_count &&
		     a->show_count == b->show_count &&
		     a->question_count == b->question_count &&
		     a->expect_count == b->expect_count &&
		     a->note_count == b->note_count &&
		     same(a->learned, b->learned);

	equal = equal && same_race(a->race, b->race);
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
		     a->step_count == b->step_count && a->place == b->place;

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

static void check_translation(const struct lesson *l, const char *lang,
			      struct session *session)
{
	struct error e = { .text = "" };
	struct lesson *other = lesson_load(l->name, lang, &e);

	if (!tap_ok(other && !strcmp(other->lang, lang),
		    "lessons/%s/%s.md is there", lang, l->name))
		printf("#   %s\n", e.text);
	else if (tap_ok(same_lesson(l, other), "%s: the same lesson",
			file_of(other)))
		check_lesson(other, session);
	lesson_free(other);
}

/* ---- all of it ---- */

/* Whether the lesson says what is found, as one on wrong kernels does. */
static bool tells_findings(const struct lesson *l)
{
	for (size_t i = 0; i < l->step_count; i++)
		for (size_t k = 0; k < l->steps[i].expect_count; k++) {
			const char *x = l->steps[i].expects[k].expr;

			if (strstr(x, "finds(") || strstr(x, "findings("))
				return true;
		}
	return false;
}

static bool recorded(const struct lesson *l, struct session *session)
{
	bool all = true, may_fail = tells_findings(l);

	for (size_t i = 0; i < l->record_count; i++) {
		struct recording *r = &session->recordings[i];
		bool good = r->trace &&
			    (may_fail ||
			     !trace_info(r->trace)->finding_count);

		tap_ok(good, "%s:%d: %s is recorded, as the lesson has it",
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
		for (size_t i = 0; lang_code(i); i++)
			if (strcmp(lang_code(i), l->lang))
				check_translation(l, lang_code(i), &session);
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
	if (argc < 2)
		check_letters();
	return tap_done();
}
