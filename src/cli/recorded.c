/*
 * recorded: see recorded.h.
 */
#include "cli/recorded.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/report_diff.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/program_options.h"
#include "cli/program_out.h"
#include "cli/program_verdict.h"

/* ---- recording ---- */

static int report_add(struct recorded *r, struct trace *t, struct error *e)
{
	if (report_build(t, &r->reports[r->count], e))
		return -1;
	r->count++;
	return 0;
}

int recorded_make(struct recorded *r, const char *what, struct error *e)
{
	struct launch_options *l = &r->launch;
	int rc;

	l->job.values = false;
	r->trace = launch_trace(l, what, e);
	if (!r->trace)
		return -1;
	r->reports = xcalloc(MAX(l->trace_count, 1), sizeof(*r->reports));
	rc = l->trace_count ? 0 : report_add(r, r->trace, e);
	for (size_t i = 0; i < l->trace_count && rc == 0; i++)
		rc = report_add(r, l->traces[i], e);
	if (rc == 0 && l->program)
		r->verdict = program_verdict(l->program, l->traces,
					     l->trace_count);
	else if (rc == 0)
		r->verdict = verdict_say(r->reports[0].verdict.kind,
					 r->reports[0].verdict.why);
	return rc;
}

void recorded_done(struct recorded *r)
{
	while (r->count)
		report_done(&r->reports[--r->count]);
	free(r->reports);
	verdict_done(&r->verdict);
	trace_close(r->trace);
	launch_options_done(&r->launch);
	*r = (struct recorded) { .trace = NULL };
}

/* ---- all of it ---- */

/* The report with its advice, to be printed or to be made JSON. */
static json_t *report_give(struct recorded *r, size_t i, FILE *out)
{
	struct launch_options *l = &r->launch;
	struct report *report = &r->reports[i];
	struct trace *t = l->trace_count ? l->traces[i] : r->trace;
	struct advice_list advice;
	json_t *o = NULL;

	l->at_launch = l->program ? program_launch_of(l, i) : 0;
	if (!launch_advice(l, t, &advice, NULL))
		report->advice = &advice;
	if (out)
		report_print(report, out);
	else
		o = report_json(report);
	report->advice = NULL;
	return o;
}

void recorded_print(struct recorded *r, const char *what, FILE *out)
{
	if (r->launch.program) {
		report_verdict_print(&r->verdict, out);
		program_print(r->launch.program, what, 0, out);
	}
	for (size_t i = 0; i < r->count; i++) {
		if (r->launch.program)
			putc('\n', out);
		report_give(r, i, out);
	}
}

json_t *recorded_json(struct recorded *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->count; i++)
		json_array_append_new(list, report_give(r, i, NULL));
	return verdict_json_add(json_pack("{sO* so}", "program",
					  r->launch.program, "reports", list),
				&r->verdict);
}

/* ---- compare recordings ---- */

static const char *get_launch_kernel(const struct recorded *r, size_t i)
{
	return r->reports[i].info->kernel;
}

/* Finds the launch of the other recording that corresponds to launch i of this
 * one, or NULL. */
static const struct report *other_launch(const struct recorded *r, size_t i,
					 const struct recorded *other)
{
	size_t nth = 0;

	/* If each has a single launch, the kernel may have been renamed. */
	if (r->count == 1 && other->count == 1)
		return &other->reports[0];
	for (size_t k = 0; k < i; k++)
		nth += !strcmp(get_launch_kernel(r, k),
			       get_launch_kernel(r, i));
	for (size_t k = 0; k < other->count; k++)
		if (!strcmp(get_launch_kernel(other, k),
			    get_launch_kernel(r, i)) &&
		    !nth--)
			return &other->reports[k];
	return NULL;
}

/* Calls for each problem of the program in `r` that `other` does not have;
 * returns how many of them are faults. */
static size_t problems_new(const struct recorded *r,
			   const struct recorded *other,
			   void (*each)(void *ctx, const char *words),
			   void *ctx)
{
	const json_t *list = json_object_get(r->launch.program, "problems");
	const json_t *its = json_object_get(other->launch.program, "problems");
	size_t faults = 0;

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *p = json_array_get(list, i);
		char *words = program_problem_words(p);
		bool there = false;

		for (size_t k = 0; k < json_array_size(its) && !there; k++) {
			char *old = program_problem_words(json_array_get(its,
									 k));

			there = !strcmp(old, words);
			free(old);
		}
		if (!there && each)
			each(ctx, words);
		faults += !there && program_is_fault(p);
		free(words);
	}
	return faults;
}

bool recorded_worse(const struct recorded *before,
		    const struct recorded *after)
{
	bool worse = problems_new(after, before, NULL, NULL) > 0;

	for (size_t i = 0; i < after->count; i++) {
		static const struct report none;
		const struct report *b = other_launch(after, i, before);
		struct report_diff d;

		report_diff_make(&d, b ? b : &none, &after->reports[i]);
		worse |= report_diff_worse(&d);
		report_diff_done(&d);
	}
	return worse;
}

struct told_launch {
	FILE *out;
	const char *word;
};

static void problem_print(void *ctx, const char *words)
{
	const struct told_launch *t = ctx;

	fprintf(t->out, "  %s: %s\n", t->word, words);
}

static void print_unmatched_launches(const struct recorded *r,
				     const struct recorded *other,
				     const char *word, FILE *out)
{
	for (size_t i = 0; i < r->count; i++)
		if (!other_launch(r, i, other))
			fprintf(out, _("  %s: a launch of %s\n"), word,
				text_show(get_launch_kernel(r, i)));
}

void recorded_diff_print(const struct recorded *before,
			 const struct recorded *after, FILE *out)
{
	struct told_launch gone = { out, _("gone") }, come = { out, _("new") };

	for (size_t i = 0; i < after->count; i++) {
		const struct report *b = other_launch(after, i, before);
		struct report_diff d;

		if (!b)
			continue;
		if (before->count > 1 || after->count > 1)
			fprintf(out, "%s%s:\n", i ? "\n" : "",
				text_show(get_launch_kernel(after, i)));
		report_diff_make(&d, b, &after->reports[i]);
		report_diff_print(&d, out);
		report_diff_done(&d);
	}
	print_unmatched_launches(before, after, gone.word, out);
	print_unmatched_launches(after, before, come.word, out);
	problems_new(before, after, problem_print, &gone);
	problems_new(after, before, problem_print, &come);
}

static void problem_append(void *ctx, const char *words)
{
	json_array_append_new(ctx, json_string(words));
}

static json_t *problems_json(const struct recorded *r,
			     const struct recorded *other)
{
	json_t *list = json_array();

	problems_new(r, other, problem_append, list);
	return list;
}

static json_t *launches_json(const struct recorded *r,
			     const struct recorded *other)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->count; i++)
		if (!other_launch(r, i, other))
			json_array_append_new(
				list, json_string(get_launch_kernel(r, i)));
	return list;
}

static json_t *diff_json(const struct report *before,
			 const struct report *after)
{
	struct report_diff d;
	json_t *o;

	report_diff_make(&d, before, after);
	o = report_diff_json(&d);
	report_diff_done(&d);
	return o;
}

json_t *recorded_diff_json(const struct recorded *before,
			   const struct recorded *after)
{
	bool programs = before->launch.program || after->launch.program;
	json_t *list, *o;

	if (before->count == 1 && after->count == 1) {
		o = diff_json(&before->reports[0], &after->reports[0]);
	} else {
		list = json_array();
		for (size_t i = 0; i < after->count; i++) {
			const struct report *b = other_launch(after, i, before);

			if (b)
				json_array_append_new(list, json_pack("{ss so}",
					"kernel", get_launch_kernel(after, i),
					"diff",
					diff_json(b, &after->reports[i])));
		}
		o = json_pack("{so so so}", "launches", list, "gone",
			      launches_json(before, after), "come",
			      launches_json(after, before));
	}
	if (programs) {
		json_object_set_new(o, "problems_gone",
				    problems_json(before, after));
		json_object_set_new(o, "problems_come",
				    problems_json(after, before));
	}
	return o;
}
