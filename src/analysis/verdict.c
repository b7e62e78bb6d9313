/*
 * verdict: see verdict.h.
 */
#include "analysis/verdict.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/finding_groups.h"
#include "analysis/finding_text.h"
#include "base/lang.h"
#include "base/text.h"
#include "kernels/kernels.h"
#include "kernels/problem.h"

int finding_severity(const struct trace_finding *f)
{
	static const int ranks[FINDING_COUNT] = {
		[FINDING_RESULT] = 0, [FINDING_RACE] = 1,
		[FINDING_OUT_OF_BOUNDS] = 2, [FINDING_READ_BEFORE_WRITE] = 3,
		[FINDING_CRASH] = 4, [FINDING_BARRIER] = 5,
		[FINDING_ENDLESS] = 6, [FINDING_CAP] = 7, [FINDING_NOTE] = 8,
	};

	return ranks[f->kind];
}

/* ---- one launch ---- */

/* Finds the most severe fault, the first of several alike, or NULL. Counts
 * all. */
static const struct told_finding *find_worst_fault(
	const struct told_finding *told, size_t told_count, size_t *count)
{
	const struct told_finding *worst = NULL;

	*count = 0;
	for (size_t i = 0; i < told_count; i++) {
		if (!finding_is_fault(told[i].of))
			continue;
		++*count;
		if (!worst || finding_severity(told[i].of) <
				      finding_severity(worst->of))
			worst = &told[i];
	}
	return worst;
}

static const struct trace_finding *find_cut(const struct trace_info *info)
{
	for (size_t i = 0; i < info->finding_count; i++)
		if (info->findings[i].kind == FINDING_CAP)
			return &info->findings[i];
	return NULL;
}

/* Describes the worst fault and how many others there are; NULL: there is
 * none. The caller frees it. */
static char *describe_faults(const struct trace_info *info, struct trace *t)
{
	size_t told_count, count;
	struct told_finding *told = findings_tell(info, t, &told_count);
	const struct told_finding *worst =
		find_worst_fault(told, told_count, &count);
	char *text = NULL;

	if (worst && count < 2)
		text = xstrdup(worst->text);
	else if (worst)
		text = xasprintf(ngettext("%1$s; and %2$zu other finding",
					  "%1$s; and %2$zu other findings",
					  count - 1),
				 worst->text, count - 1);
	findings_told_done(told, told_count);
	return text;
}

struct verdict verdict_make(const struct trace_info *info, struct trace *t)
{
	char *faults = describe_faults(info, t);
	const struct trace_finding *cut = find_cut(info);
	const char *says;
	bool checked;

	if (faults)
		return (struct verdict){ VERDICT_WRONG, faults };
	if (cut)
		return (struct verdict){ VERDICT_NOT_JUDGED,
					 finding_text(info, cut) };
	says = problem_says(kernel_problem(info),
			    info->check ? info->check : "", &checked);
	return verdict_say(checked ? VERDICT_RIGHT : VERDICT_NOT_JUDGED,
			   _(says));
}

struct verdict verdict_say(enum verdict_kind kind, const char *why)
{
	return (struct verdict){ kind, xstrdup(why) };
}

void verdict_done(struct verdict *v)
{
	free(v->why);
	v->why = NULL;
}

/* ---- several ---- */

static bool is_alike_verdict(const struct verdict_part *p, enum verdict_kind kind)
{
	return p->verdict.kind == kind && p->verdict.why;
}

/* Returns the reason of the first part of this kind, with the part's name if
 * there are several parts, and with the number of further parts. */
static char *describe_parts(const struct verdict_part *parts, size_t count,
			    enum verdict_kind kind)
{
	const struct verdict_part *first = NULL;
	struct str s = { 0 };
	size_t alike = 0, all = 0;

	for (size_t i = 0; i < count; i++) {
		all += parts[i].verdict.why != NULL;
		if (!is_alike_verdict(&parts[i], kind))
			continue;
		first = first ? first : &parts[i];
		alike++;
	}
	if (first->name && all > 1)
		str_addf(&s, "%s: ", text_show(first->name));
	str_add(&s, first->verdict.why);
	if (alike > 1)
		str_addf(&s, ngettext("; and %1$zu other like it",
				      "; and %1$zu others like it", alike - 1),
			 alike - 1);
	return str_take(&s);
}

static size_t count_right(const struct verdict_part *parts, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += is_alike_verdict(&parts[i], VERDICT_RIGHT);
	return n;
}

struct verdict verdict_join(const struct verdict_part *parts, size_t count)
{
	static const enum verdict_kind order[] = {
		VERDICT_WRONG, VERDICT_NOT_JUDGED, VERDICT_RIGHT,
	};
	size_t right = count_right(parts, count);

	for (size_t k = 0; k < LENGTH(order); k++)
		for (size_t i = 0; i < count; i++) {
			struct verdict v = { order[k], NULL };
			char *why;

			if (!is_alike_verdict(&parts[i], order[k]))
				continue;
			v.why = describe_parts(parts, count, order[k]);
			if (order[k] != VERDICT_NOT_JUDGED || !right)
				return v;
			why = xasprintf(ngettext(
				"%1$s; %2$zu launch is right",
				"%1$s; %2$zu launches are right", right),
				v.why, right);
			free(v.why);
			v.why = why;
			return v;
		}
	return verdict_say(VERDICT_NOT_JUDGED, _("nothing was recorded"));
}

/* ---- in words ---- */

const char *verdict_word(enum verdict_kind kind)
{
	static const char *const words[] = {
		[VERDICT_RIGHT] = "right", [VERDICT_WRONG] = "wrong",
		[VERDICT_NOT_JUDGED] = "not-judged",
	};

	return words[kind];
}

char *verdict_text(const struct verdict *v)
{
	static const char *const formats[] = {
		[VERDICT_RIGHT] = N_("right: %s"),
		[VERDICT_WRONG] = N_("wrong: %s"),
		[VERDICT_NOT_JUDGED] = N_("not judged: %s"),
	};

	return xasprintf(_(formats[v->kind]), v->why);
}
