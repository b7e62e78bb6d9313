/* judge_cost: what the first size costs, and the rung's limits. See
 * judge_parts.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "practice/judge_parts.h"

/* The launch that a cost is the most of. */
struct dear_launch { size_t trace; int64_t value; };

/* The recordings of the first size, as a lesson's expressions ask about
 * them. */
struct asked_limits {
	struct lesson lesson;
	struct lesson_traces traces;
	/* Costs, and M, N and K. */
	struct lesson_cost names[COST_COUNT + 3];
	char words[COST_COUNT][32];
	/* The launches, and of each cost the dearest. */
	size_t count;
	struct dear_launch dear[COST_COUNT];
};

/* Returns the launches of the first call. */
static size_t count_first_traces(const struct judging *j)
{
	const json_t *first = json_array_get(json_object_get(j->program,
							     "judged"), 0);
	uint64_t last = (uint64_t)json_integer_value(
		json_object_get(first, "launches"));
	size_t n = 0;

	while (n < j->trace_count && j->launches[n] <= last)
		n++;
	return n;
}

/* Counts the costs. Returns NULL, or why they are not known; the caller frees
 * it. */
static char *count_costs(struct judging *j, size_t count,
			 struct dear_launch dear[COST_COUNT])
{
	const json_t *first = json_array_get(json_object_get(j->program,
							     "judged"), 0);
	struct error e;

	if ((json_int_t)count != json_integer_value(
		json_object_get(first, "launches")))
		return xstrdup(_("launch() makes more launches than can be "
				 "counted"));
	for (size_t i = 0; i < count; i++) {
		int64_t own[COST_COUNT];

		if (trace_info(j->traces[i])->partial ||
		    cost_of_launch(j->traces[i], own, &e) < 0)
			return xasprintf(_("%s does more than can be counted: "
					   "is its grid larger than it "
					   "must be?"),
					 trace_info(j->traces[i])->kernel);
		cost_join(j->out.costs, own);
		for (int k = 0; k < COST_COUNT; k++)
			if (own[k] > dear[k].value)
				dear[k] = (struct dear_launch) { i, own[k] };
	}
	j->out.counted = true;
	return NULL;
}

/* ---- conditions ---- */

static void ask_traces(struct asked_limits *a, struct judging *j, size_t count)
{
	static const char *const sizes[] = { "M", "N", "K" };
	static struct lesson_step step;

	a->lesson = *j->rung->task;
	a->lesson.steps = &step;
	a->lesson.step_count = 1;
	a->lesson.record_count = MIN(count, LESSON_MAX_RECORDS);
	a->traces.lesson = &a->lesson;
	for (size_t i = 0; i < a->lesson.record_count; i++) {
		a->lesson.records[i].alias =
			trace_info(j->traces[i])->kernel;
		a->traces.trace[i] = j->traces[i];
	}
	for (int i = 0; i < COST_COUNT; i++) {
		snprintf(a->words[i], sizeof(a->words[i]), "%s",
			 cost_word((enum cost_kind)i));
		for (char *s = a->words[i]; *s; s++)
			*s = *s == '-' ? '_' : *s;
		a->names[i] = (struct lesson_cost) { a->words[i],
						     j->out.costs[i] };
	}
	for (int i = 0; i < 3; i++)
		a->names[COST_COUNT + i] = (struct lesson_cost) {
			sizes[i], problem_size(&j->rung->sizes[0],
					       "mnk"[i]) };
	a->traces.costs = a->names;
	a->traces.cost_count = LENGTH(a->names);
}

/* Returns the words with their values, or without those that have none. */
static char *fill_limit_words(struct asked_limits *a, const char *words)
{
	struct error e = { .text = "" };
	char *filled = lesson_words(&a->traces, 0, words, &e);

	return filled ? filled : xstrdup(words);
}

/* Adds, of several launches, the one that a cost is the most of; takes `words`,
 * which may be NULL. */
static char *add_dear_launch(const struct judging *j,
			     const struct asked_limits *a, enum cost_kind cost,
			     char *words)
{
	const struct dear_launch *d = &a->dear[cost];
	char *more;

	if (a->count < 2 || !words)
		return words;
	more = xasprintf(_("%1$s (%2$zu launches; the dearest is %3$s: "
			   "%4$lld)"), words, a->count,
			 trace_info(j->traces[d->trace])->kernel,
			 (long long)d->value);
	free(words);
	return more;
}

/* Returns the place that adds most to a cost, in its dearest launch. */
static struct judge_place find_dear_place(const struct judging *j,
					  const struct asked_limits *a,
					  enum cost_kind cost)
{
	struct trace *t;

	if (!a->count)
		return JUDGE_NOWHERE;
	t = j->traces[a->dear[cost].trace];
	return (struct judge_place) { trace_info(t)->file,
				      cost_dearest_line(t, cost) };
}

/* Checks a limit; the judgement fails at the first that is passed. */
static void check_limit(struct judging *j, struct asked_limits *a,
			const struct rung_limit *l, struct judged_cost *to)
{
	struct value v = value_int(0);
	struct error e = { .text = "" };
	char *words;

	*to = (struct judged_cost) { l->cost, l, 0, true };
	if (l->cost != COST_COUNT) {
		to->value = j->out.costs[l->cost];
		to->good = to->value <= l->most;
	} else {
		to->good = lesson_eval(&a->traces, 0, l->expr, &v, &e) == 0 &&
			   value_true(&v);
		to->value = to->good;
	}
	if (to->good || j->out.result != JUDGED_PASS)
		return;
	words = l->words ? fill_limit_words(a, l->words) : NULL;
	if (l->cost != COST_COUNT)
		words = add_dear_launch(j, a, l->cost, words);
	if (l->cost == COST_COUNT)
		judge_fail(j, JUDGE_COSTS, 0, "limit", JUDGE_NOWHERE,
			   words);
	else
		judge_fail(j, JUDGE_COSTS, 0, cost_word(l->cost),
			   find_dear_place(j, a, l->cost),
			   words ? words :
			   xasprintf(_("%1$s: %2$lld, at most %3$lld"),
				     cost_phrase(l->cost),
				     (long long)to->value,
				     (long long)l->most));
}

/* Returns the elements that the first call has to store. */
static int64_t count_outputs(const struct judging *j)
{
	const struct rung *r = j->rung;
	int64_t count = 0;
	struct error e;

	for (size_t i = 0; i < r->argument_count; i++)
		if (r->arguments[i].output)
			count += rung_elements(r, &r->arguments[i],
					       &r->sizes[0], &e);
	return count;
}

void judge_costs(struct judging *j)
{
	const struct rung *r = j->rung;
	size_t count = count_first_traces(j);
	struct asked_limits a = { .count = count };
	char *unknown = count_costs(j, count, a.dear);

	if (unknown) {
		judge_fail(j, JUDGE_COSTS, 0, "launches", JUDGE_NOWHERE,
			   unknown);
		return;
	}
	if (j->out.costs[COST_STORERS] <= (int64_t)count &&
	    count_outputs(j) > 1)
		judge_fail(j, JUDGE_COSTS, 0, cost_word(COST_STORERS),
			   JUDGE_NOWHERE,
			   xstrdup(_("a single thread computes everything")));
	ask_traces(&a, j, count);
	j->out.limits = xcalloc(r->limit_count + 1, sizeof(*j->out.limits));
	for (size_t i = 0; i < r->limit_count; i++)
		check_limit(j, &a, &r->limits[i], &j->out.limits[i]);
	j->out.limit_count = r->limit_count;
	lesson_traces_forget(&a.traces);
}
