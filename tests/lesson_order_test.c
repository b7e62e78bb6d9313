/*
 * The order of the course: until its questions are answered, no step needs
 * what a later lesson teaches. A kernel is taught in the lesson of the table
 * below, a term of the glossary where it is first printed in bold. Only what
 * is said after an answer may look ahead.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/lang.h"
#include "kernels/kernels.h"
#include "lesson/glossary.h"
#include "lesson/lesson.h"
#include "tap.h"
#include "timing/benchmark.h"

static const struct {
	const char *kernel, *lesson;
} homes[] = {
	{ "naive", "first-kernel" },
	{ "tiled", "indexing" },
	{ "naive_swapped", "coalescing" },
	{ "bug_early_return", "boundaries" },
	{ "bug_edge", "boundaries" },
	{ "padded", "boundaries" },
	{ "tiled_bt", "banks" },
	{ "tiled_bt_pad", "banks" },
	{ "float4", "outer-product" },
	{ "float4_at", "float4-shared" },
	{ "register_tiled", "register-tiling" },
	{ "register_tiled_fast", "register-tiling" },
	{ "bug_first_barrier", "barriers" },
	{ "bug_second_barrier", "barriers" },
	{ "warptile", "warp-tiling" },
	{ "double_buffered", "double-buffering" },
	{ "sgemm_pipelined", "double-buffering" },
	{ "sgemm", "sgemm" },
	{ "wmma", "wmma" },
	{ "bug_one_warp", "wmma" },
	{ "mma", "mma" },
	{ "bug_wmma_pad", "mma" },
	{ "mma_multistage", "multistage" },
	{ "wgmma_basic", "tma-wgmma" },
	{ "tma_pipeline", "tma-wgmma" },
	{ "hgemm", "waves" },
};

static struct lesson *lessons[64];
static size_t lesson_count;
static struct glossary *glossary;
/* The lesson that teaches each term; lesson_count: none. */
static size_t *term_home;

static size_t find_lesson(const char *name)
{
	for (size_t i = 0; i < lesson_count; i++)
		if (!strcmp(lessons[i]->name, name))
			return i;
	return lesson_count;
}

/* Returns the lesson that teaches a kernel, lesson_count if none does. */
static size_t find_home(const char *kernel)
{
	for (size_t i = 0; i < LENGTH(homes); i++)
		if (!strcmp(homes[i].kernel, kernel))
			return find_lesson(homes[i].lesson);
	return lesson_count;
}

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c == '_';
}

/* Tells whether a kernel's name stands in an expression. */
static bool has_name(const char *text, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = text; (p = strstr(p, name)) != NULL; p += n)
		if ((p == text || !is_word(p[-1])) && !is_word(p[n]))
			return true;
	return false;
}

/* Splits words into what stands in braces and what does not. */
static void split_words(const char *words, struct str *expressions,
			struct str *plain)
{
	bool in = false;

	for (const char *p = words; *p; p++) {
		in = *p == '{' || (in && *p != '}');
		str_addf(in ? expressions : plain, "%c", *p);
	}
}

static void add_questions(const struct lesson_step *s, struct str *expressions,
			  struct str *plain)
{
	for (size_t i = 0; i < s->question_count; i++) {
		const struct lesson_question *q = &s->questions[i];

		split_words(q->words, expressions, plain);
		str_addf(expressions, " %s", q->answer);
		for (size_t k = 0; k < q->wrong_count; k++) {
			str_addf(expressions, " %s", q->wrongs[k].expr);
			split_words(q->wrongs[k].words, expressions, plain);
			str_add(plain, "\n");
		}
	}
	for (size_t i = 0; s->race && i < s->race->job.case_count; i++)
		if (s->race->job.cases[i].name)
			str_addf(expressions, " %s",
				 s->race->job.cases[i].name);
}

/* Collects what a step says and asks before it is answered. A kernel's name in
 * code counts as an expression. */
static void collect(const struct lesson_step *s, struct str *expressions,
		    struct str *plain)
{
	for (size_t i = 0; i < s->prose_count; i++) {
		const struct lesson_paragraph *p = &s->prose[i];

		for (size_t k = 0; k < p->span_count; k++) {
			bool code = p->spans[k].style & SPAN_CODE;

			if (code)
				str_addf(expressions, " %s ", p->spans[k].text);
			else
				split_words(p->spans[k].text, expressions,
					    plain);
		}
		str_add(plain, "\n");
	}
	add_questions(s, expressions, plain);
}

static void check_kernels(size_t at, const struct lesson_step *s,
			  const char *expressions)
{
	const struct lesson *l = lessons[at];

	for (size_t i = 0; i < kernel_count; i++) {
		const char *name = kernels[i].name;

		if (has_name(expressions, name))
			tap_ok(find_home(name) <= at, "%s: '%s' knows %s",
			       l->name, s->title, name);
	}
}

/* Tells whether text has a term, in the plural, too. Chinese words have no
 * spaces between them, so that a term of one character, as 级, may be any
 * word's part: it does not count. */
static bool has_term(const char *text, const char *term)
{
	size_t n = strlen(term);

	if (term[0] & 0x80)
		return n >= 2 * 3 && strstr(text, term);
	for (const char *p = text; *p; p++)
		if ((p == text || !is_word(p[-1])) && !strncasecmp(p, term, n))
			if (!is_word(p[n + (p[n] == 's')]))
				return true;
	return false;
}

static void check_terms(size_t at, const struct lesson_step *s,
			const char *plain)
{
	int early = 0;

	/* The first step says which key explains terms, and names some. */
	if (!at && s == lessons[at]->steps)
		return;
	for (size_t i = 0; i < glossary->count; i++) {
		const char *term = glossary->terms[i].forms[0];
		size_t home = term_home[i];

		if (home == lesson_count || home <= at ||
		    !has_term(plain, term))
			continue;
		printf("# '%s' is a term of %s\n", term, lessons[home]->name);
		early++;
	}
	tap_ok(!early, "%s: '%s' uses terms that are known", lessons[at]->name,
	       s->title);
}

static void check_step(size_t at, const struct lesson_step *s)
{
	struct str expressions = { 0 }, plain = { 0 };

	collect(s, &expressions, &plain);
	check_kernels(at, s, expressions.data ? expressions.data : "");
	check_terms(at, s, plain.data ? plain.data : "");
	str_done(&expressions);
	str_done(&plain);
}

static void check_lesson(size_t at)
{
	const struct lesson *l = lessons[at];

	for (size_t i = 0; i < l->record_count; i++)
		if (kernel_find(l->records[i].kernel))
			tap_ok(find_home(l->records[i].kernel) <= at,
			       "%s: records %s, which is known", l->name,
			       l->records[i].kernel);
	for (size_t i = 0; i < l->step_count; i++)
		check_step(at, &l->steps[i]);
}

/* Notes the term that is printed in bold, in the plural, too. */
static void mark_bold(size_t at, const char *bold)
{
	for (size_t i = 0; i < glossary->count; i++) {
		const char *term = glossary->terms[i].forms[0];

		if (at < term_home[i] && has_term(bold, term) &&
		    strlen(bold) <= strlen(term) + 1)
			term_home[i] = at;
	}
}

static void mark_step(size_t at, const struct lesson_step *s)
{
	for (size_t i = 0; i < s->prose_count; i++)
		for (size_t k = 0; k < s->prose[i].span_count; k++)
			if (s->prose[i].spans[k].style & SPAN_STRONG)
				mark_bold(at, s->prose[i].spans[k].text);
}

/* Finds where each term is first printed in bold. */
static void find_term_homes(void)
{
	int taught = 0;

	term_home = xcalloc(glossary->count, sizeof(*term_home));
	for (size_t i = 0; i < glossary->count; i++)
		term_home[i] = lesson_count;
	for (size_t i = 0; i < lesson_count; i++)
		for (size_t k = 0; k < lessons[i]->step_count; k++)
			mark_step(i, &lessons[i]->steps[k]);
	for (size_t i = 0; i < glossary->count; i++)
		taught += term_home[i] < lesson_count;
	tap_ok(taught > 20, "%d terms are introduced in bold", taught);
}

/* Checks the course in a language. */
static void check_course(const char *lang)
{
	const char *const *names = lesson_names();
	struct error e = { .text = "" };

	glossary = glossary_load(lang, &e);
	if (!glossary)
		fatal("%s", e.text);
	lesson_count = 0;
	for (size_t i = 0; names[i] && i < LENGTH(lessons); i++) {
		lessons[lesson_count] = lesson_load(names[i], lang, &e);
		if (!lessons[lesson_count++])
			fatal("%s", e.text);
	}
	for (size_t i = 0; i < LENGTH(homes); i++)
		tap_ok(kernel_find(homes[i].kernel) &&
			       find_lesson(homes[i].lesson) < lesson_count,
		       "%s teaches %s", homes[i].lesson, homes[i].kernel);
	find_term_homes();
	for (size_t i = 0; i < lesson_count; i++)
		check_lesson(i);
	for (size_t i = 0; i < lesson_count; i++)
		lesson_free(lessons[i]);
	glossary_free(glossary);
	free(term_home);
}

int main(void)
{
	lang_init("en");
	check_course("en");
	check_course("zh");
	return tap_done();
}
