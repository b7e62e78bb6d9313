/* rung_directives: the lines of a rung's block `gemmviz`. See rung.h. */
#include "practice/rung_parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "lesson/lesson_parse.h"

/* Returns the rest of a line without blanks around it; heap. */
static char *copy_rest(const char *rest)
{
	size_t n;

	rest += strspn(rest, " ");
	n = strlen(rest);
	while (n && rest[n - 1] == ' ')
		n--;
	return xstrndup(rest, n);
}

/* Takes words that may contain {EXPR}. */
static int take_directive_words(struct rung_parser *p, const char *rest, char **to)
{
	struct error e;
	char *words = copy_rest(rest);

	if (!*words || *to) {
		free(words);
		return rung_fail(p, *to ? _("expected it once") :
				     _("expected words"));
	}
	*to = words;
	return lesson_words_check(words, &e) < 0 ?
	       rung_fail(p, "%s", e.text) : 0;
}

static int take_place(struct rung_parser *p, char *rest)
{
	char *end;

	p->rung->place = strtod(rest, &end);
	return end == rest || *end || !(p->rung->place >= 0) ?
	       rung_fail(p, _("expected a number")) : 0;
}

static int take_group(struct rung_parser *p, char *rest)
{
	return take_directive_words(p, rest, &p->rung->group);
}

static int take_learned(struct rung_parser *p, char *rest)
{
	return take_directive_words(p, rest, &p->rung->learned);
}

static int take_begins(struct rung_parser *p, char *rest)
{
	return take_directive_words(p, rest, &p->rung->begins);
}

static int take_compare(struct rung_parser *p, char *rest)
{
	return take_directive_words(p, rest, &p->rung->compare);
}

static int take_lesson(struct rung_parser *p, char *rest)
{
	char *name = parse_word(&rest), *step = parse_word(&rest);
	long n = 0;

	if (!name || (step && !parse_int(step, 1, 1000, &n)))
		return rung_fail(p, _("expected a lesson, and perhaps its "
				      "step"));
	free(p->rung->lesson_name);
	p->rung->lesson_name = xstrdup(name);
	p->rung->lesson_step = (int)n;
	return 0;
}

static int take_problem(struct rung_parser *p, char *rest)
{
	char *name = parse_word(&rest);
	struct rung *r = p->rung;

	if (name && !strcmp(name, "reference"))
		r->kind = RUNG_REFERENCE;
	else if (name && !strcmp(name, "program"))
		r->kind = RUNG_PROGRAM;
	else
		r->problem = name ? problem_find(name) : NULL;
	if (r->kind == RUNG_PROBLEM && (!r->problem || !r->problem->row))
		return rung_fail(p, _("expected gemm, transpose, softmax, "
				      "reference or program"));
	return 0;
}

static int find_array_type(const char *word)
{
	static const struct { const char *word; enum elem elem; } types[] = {
		{ "float", ELEM_F32 }, { "half", ELEM_F16 },
		{ "bfloat16", ELEM_BF16 }, { "double", ELEM_F64 },
		{ "int", ELEM_I32 },
	};

	for (size_t i = 0; i < LENGTH(types); i++)
		if (!strcmp(types[i].word, word))
			return types[i].elem;
	return -1;
}

static int take_arrays(struct rung_parser *p, char *rest)
{
	char *word;

	for (size_t i = 0; (word = parse_word(&rest)); i++) {
		int elem = find_array_type(word);

		if (elem < 0 || i == RUNG_ARGUMENTS)
			return rung_fail(p, _("expected float, half, bfloat16, "
					      "double or int"));
		p->rung->arguments[i].elem = (enum elem)elem;
	}
	return 0;
}

/* Keeps the elements of an array until the parameters are known. */
static int take_array(struct rung_parser *p, char *rest)
{
	char *name = parse_word(&rest), *count = copy_rest(rest);
	struct error e;
	size_t i = 0;

	while (i < RUNG_ARGUMENTS && p->rung->arguments[i].name)
		i++;
	if (!name || !*count || i == RUNG_ARGUMENTS ||
	    lesson_expr_check(count, &e) < 0) {
		free(count);
		return rung_fail(p, _("expected a name and how many elements "
				      "it has"));
	}
	p->rung->arguments[i].name = xstrdup(name);
	p->rung->arguments[i].count = count;
	return 0;
}

static int take_size(struct rung_parser *p, char *rest)
{
	struct problem_sizes s = { 1, 1, 1 };
	char *word;
	long v;

	if (p->rung->size_count == RUNG_SIZES)
		return rung_fail(p, _("expected at most %d sizes"),
				 RUNG_SIZES);
	while ((word = parse_word(&rest))) {
		uint32_t bit = word[0] && word[1] == '=' ? size_bit(word[0]) :
							   0;

		if (!bit || !parse_int(word + 2, 1, 4096, &v))
			return rung_fail(p, _("expected m=, n= or k= and a "
					      "number from 1 to 4096"));
		*(bit == SIZE_M ? &s.m : bit == SIZE_N ? &s.n : &s.k) = (int)v;
	}
	p->rung->sizes[p->rung->size_count++] = s;
	return 0;
}

static int take_multiples(struct rung_parser *p, char *rest)
{
	char *word = parse_word(&rest);
	long n;

	if (!word || !parse_int(word, 2, 4096, &n))
		return rung_fail(p, _("expected a number"));
	p->rung->multiples = (int)n;
	return 0;
}

/* Reads a number such as -4, 0.5 or 1/512. */
static bool read_fraction(const char *word, double *to)
{
	char *end;

	*to = strtod(word, &end);
	if (end != word && *end == '/') {
		const char *under = end + 1;

		*to /= strtod(under, &end);
		return end != under && !*end;
	}
	return end != word && !*end;
}

static int take_values(struct rung_parser *p, char *rest)
{
	struct rung *r = p->rung;
	char *range = parse_word(&rest), *step = parse_word(&rest),
	     *by = parse_word(&rest), *dots = range ? strstr(range, "..") : NULL;

	r->step = 1.0 / 32;
	if (dots)
		*dots = '\0';
	if (!dots || !read_fraction(range, &r->low) ||
	    !read_fraction(dots + 2, &r->high) ||
	    (step && (strcmp(step, "step") != 0 || !by ||
		      !read_fraction(by, &r->step))) ||
	    !(r->low < r->high) || !(r->step > 0))
		return rung_fail(p, _("expected LOW..HIGH, and perhaps step "
				      "S"));
	r->has_values = true;
	return 0;
}

static int take_tolerance(struct rung_parser *p, char *rest)
{
	char *word = parse_word(&rest);

	if (!word || !read_fraction(word, &p->rung->tolerance) ||
	    !(p->rung->tolerance >= 0))
		return rung_fail(p, _("expected a number"));
	return 0;
}

/* Splits off an expression, which ends at the first space outside of brackets
 * and quotes. */
static char *split_expr(char **rest)
{
	char *from = *rest + strspn(*rest, " "), *s = from;
	bool quoted = false;
	int depth = 0;

	for (; *s && (depth > 0 || quoted || *s != ' '); s++) {
		quoted ^= *s == '"';
		depth += !quoted && (*s == '(' || *s == '[');
		depth -= !quoted && (*s == ')' || *s == ']');
	}
	*rest = *s ? s + 1 : s;
	*s = '\0';
	return from;
}

static struct rung_limit *add_limit(struct rung_parser *p)
{
	struct rung_limit *l =
		parse_append(&p->rung->limits, &p->rung->limit_count,
			     sizeof(*l));

	l->line = p->line;
	return l;
}

/* Sets the error for a word that is no cost. */
static int unknown_cost(struct rung_parser *p, const char *word)
{
	const char *names[COST_COUNT], *near;

	for (int i = 0; i < COST_COUNT; i++)
		names[i] = cost_word((enum cost_kind)i);
	near = nearest_name(word, names, COST_COUNT);
	if (near)
		return rung_fail(p, _("expected a cost, got '%s'; did you mean "
				      "'%s'?"), text_show(word), near);
	return rung_fail(p, _("expected a cost, such as load-sectors, or a "
			      "condition"));
}

static int take_limit(struct rung_parser *p, char *rest)
{
	char *word = split_expr(&rest), *number = rest;
	int cost = cost_from(word);
	struct rung_limit *l;
	struct error e;
	long most;

	l = add_limit(p);
	l->cost = cost < 0 ? COST_COUNT : (enum cost_kind)cost;
	if (cost >= 0) {
		number = parse_word(&rest);
		if (!number || !parse_int(number, 0, INT32_MAX, &most))
			return rung_fail(p, _("expected a number"));
		l->most = most;
		return 0;
	}
	l->expr = xstrdup(word);
	if (!word[strspn(word, "abcdefghijklmnopqrstuvwxyz-")])
		return unknown_cost(p, word);
	if (!*word || lesson_expr_check(word, &e) < 0)
		return rung_fail(p, _("expected a cost, such as load-sectors, "
				      "or a condition: %s"),
				 *word ? e.text : "");
	return take_directive_words(p, rest, &l->words);
}

static int take_limit_words(struct rung_parser *p, char *rest)
{
	char *word = parse_word(&rest);
	int cost = word ? cost_from(word) : -1;

	for (size_t i = 0; cost >= 0 && i < p->rung->limit_count; i++)
		if ((int)p->rung->limits[i].cost == cost)
			return take_directive_words(p, rest, &p->rung->limits[i].words);
	return rung_fail(p, _("expected a cost that a limit before it names"));
}

static int take_solution(struct rung_parser *p, char *rest)
{
	char *file = parse_word(&rest);

	if (!file || p->rung->solution)
		return rung_fail(p, _("expected one file"));
	p->rung->solution = xasprintf("%s%s", p->rung->folder, file);
	return 0;
}

static struct rung_trial *add_trial(struct rung_parser *p, const char *file)
{
	struct rung_trial *t =
		parse_append(&p->rung->trials, &p->rung->trial_count,
			     sizeof(*t));

	t->path = xasprintf("%s%s", p->rung->folder, file);
	t->line = p->line;
	t->stage = JUDGE_PASSED;
	return t;
}

static int take_right(struct rung_parser *p, char *rest)
{
	char *file = parse_word(&rest);

	if (!file)
		return rung_fail(p, _("expected a file"));
	add_trial(p, file);
	return 0;
}

static int take_wrong(struct rung_parser *p, char *rest)
{
	char *file = parse_word(&rest), *stage = parse_word(&rest),
	     *word = parse_word(&rest);
	int n = stage ? judge_stage_from(stage) : -1;
	struct rung_trial *t;

	if (n < 0 || n == JUDGE_PASSED)
		return rung_fail(p, _("expected a file and a stage: compile, "
				      "launch, faults, answer, errors or "
				      "costs"));
	t = add_trial(p, file);
	t->stage = (enum judge_stage)n;
	t->word = word ? xstrdup(word) : NULL;
	return 0;
}

static int take_run(struct rung_parser *p, char *rest)
{
	static const char mark[] = "prints ";
	char *prints = strstr(rest, mark);
	struct rung_run *run;

	if (!prints)
		return rung_fail(p, _("expected: run [ARGUMENTS] prints "
				      "TEXT"));
	run = parse_append(&p->rung->runs, &p->rung->run_count, sizeof(*run));
	*prints = '\0';
	run->arguments = copy_rest(rest);
	run->prints = copy_rest(prints + strlen(mark));
	return 0;
}

int rung_directive(struct rung_parser *p, char *line)
{
	static const struct {
		const char *name;
		int (*take)(struct rung_parser *p, char *rest);
	} directives[] = {
		{ "place", take_place }, { "group", take_group },
		{ "begins", take_begins }, { "compare", take_compare },
		 { "lesson", take_lesson },
		{ "problem", take_problem },
		{ "arrays", take_arrays }, { "array", take_array },
		{ "size", take_size }, { "multiples", take_multiples },
		{ "values", take_values }, { "tolerance", take_tolerance },
		{ "limit", take_limit }, { "words", take_limit_words },
		{ "learned", take_learned }, { "run", take_run },
		{ "solution", take_solution }, { "right", take_right },
		{ "wrong", take_wrong },
	};
	const char *names[LENGTH(directives)], *near;
	char *rest = line, *word = parse_word(&rest);

	if (!word)
		return 0;
	for (size_t i = 0; i < LENGTH(directives); i++) {
		if (!strcmp(directives[i].name, word))
			return directives[i].take(p, rest);
		names[i] = directives[i].name;
	}
	near = nearest_name(word, names, LENGTH(names));
	if (near)
		return rung_fail(p, _("expected a directive, got '%s'; did you "
				      "mean '%s'?"), text_show(word), near);
	return rung_fail(p, _("expected a directive, got '%s'"),
			 text_show(word));
}
