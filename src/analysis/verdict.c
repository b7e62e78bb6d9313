/*
 * verdict: see verdict.h.
 */
#include "analysis/verdict.h"

#include <limits.h>
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

/* Returns the rank of a fault at a second size: an index beyond a row writes the
 * elements of other threads, and what is beyond the array is the first sign of
 * it. */
static int rank_at_edge(const struct trace_finding *f)
{
	return f->kind == FINDING_OUT_OF_BOUNDS ? (int)f->access.line :
						  INT_MAX / 2 +
						  finding_severity(f);
}

/* Finds the most severe fault, the first of several alike, or NULL. Counts
 * all. */
static const struct told_finding *find_worst_fault(
	const struct told_finding *told, size_t told_count,
	int (*rank)(const struct trace_finding *f), size_t *count)
{
	const struct told_finding *worst = NULL;

	*count = 0;
	for (size_t i = 0; i < told_count; i++) {
		if (!finding_is_fault(told[i].of))
			continue;
		++*count;
		if (!worst || rank(told[i].of) < rank(worst->of))
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

/* ---- its sizes ---- */

/* Returns SIZE_* bits of the sizes that the launch has. */
static uint32_t find_sizes(const struct trace_info *info)
{
	const struct problem *p = kernel_problem(info);
	uint32_t sizes = 0;

	for (size_t i = 0; i < info->argument_count; i++)
		sizes |= size_bit((int)info->arguments[i].size);
	if (!sizes)
		return 0;
	for (int i = 0; i < PROBLEM_ARRAYS && p->arrays[i].name && p->row; i++)
		sizes |= size_bit(p->arrays[i].rows) |
			 size_bit(p->arrays[i].columns);
	return sizes;
}

/* Returns the name of the first parameter that is a size, or "". */
static const char *find_size_name(const struct trace_info *info)
{
	for (size_t i = 0; i < info->argument_count; i++)
		if (info->arguments[i].size)
			return text_show(info->arguments[i].name);
	return "";
}

char *sizes_text(const struct trace_info *of, const struct trace_info *info)
{
	const uint32_t values[] = { info->m, info->n, info->k };
	uint32_t sizes = find_sizes(of);
	struct str s = { 0 };

	if (!sizes)
		return NULL;
	if (!(sizes & (sizes - 1)))
		str_addf(&s, "%s = ", find_size_name(info));
	for (size_t i = 0; i < LENGTH(values); i++)
		if (sizes >> i & 1)
			str_addf(&s, "%s%u", i && sizes & ((1u << i) - 1) ?
				 "x" : "", values[i]);
	return str_take(&s);
}

/* Tests whether a launch in the text gives a size. */
static bool is_size_shown(const struct trace_info *info)
{
	for (size_t i = 0; i < info->argument_count; i++)
		if (info->arguments[i].size &&
		    info->arguments[i].decided == DECIDED_LAUNCH)
			return true;
	return false;
}

bool finding_depends_on_sizes(const struct trace_info *info,
			      const struct trace_finding *f)
{
	bool global = f->array < info->array_count &&
		      info->arrays[f->array].space == SPACE_GLOBAL;

	return global && (f->kind == FINDING_OUT_OF_BOUNDS ||
			  f->kind == FINDING_RACE ||
			  f->cause == CAUSE_UNTOUCHED);
}

char *finding_text_chosen(const struct trace_info *info,
			  const struct trace_finding *f, const char *text,
			  const struct sizes_tried *s)
{
	char *size = s->chosen && finding_is_fault(f) && !is_size_shown(info) &&
		     finding_depends_on_sizes(info, f) ?
			     sizes_text(info, info) :
			     NULL;
	char *more;

	if (!size)
		return xstrdup(text);
	more = xasprintf(_("%1$s; gemmviz chose the size %2$s (-m, -n and "
			   "-k set another)"), text, size);
	free(size);
	return more;
}

/* ---- its faults ---- */

/* Describes the worst fault and how many others there are; NULL: there is
 * none. The caller frees it. */
static char *describe_faults(const struct trace_info *info, struct trace *t,
			     const struct sizes_tried *s,
			     int (*rank)(const struct trace_finding *f))
{
	size_t told_count, count;
	struct told_finding *told = findings_tell(info, t, &told_count);
	const struct told_finding *worst =
		find_worst_fault(told, told_count, rank, &count);
	char *text = NULL;

	if (worst)
		text = finding_text_chosen(info, worst->of, worst->text, s);
	if (worst && count > 1) {
		char *first = text;

		text = xasprintf(ngettext("%1$s; and %2$zu other finding",
					  "%1$s; and %2$zu other findings",
					  count - 1), first, count - 1);
		free(first);
	}
	findings_told_done(told, told_count);
	return text;
}

/* Returns the verdict on the first size. */
static struct verdict judge_first(const struct trace_info *info,
				  struct trace *t, const struct sizes_tried *s)
{
	char *faults = describe_faults(info, t, s, finding_severity);
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

struct verdict verdict_make(const struct trace_info *info, struct trace *t)
{
	static const struct sizes_tried alone;

	return judge_first(info, t, &alone);
}

/* ---- at its sizes ---- */

/* Replaces the reason by one with the size, of which a format's first argument
 * is the reason. Takes `size`. */
static void name_size(struct verdict *v, const char *format, char *size)
{
	char *was = v->why;

	if (!size)
		return;
	v->why = xasprintf(format, was, size);
	free(was);
	free(size);
}

static bool is_checked(const struct trace_info *info)
{
	bool checked;

	problem_says(kernel_problem(info), info->check ? info->check : "",
		     &checked);
	return checked && !find_cut(info);
}

/* Joins what the second size showed. */
static void judge_second(struct verdict *v, const struct trace_info *info,
			 const struct sizes_tried *s)
{
	static const struct sizes_tried alone;
	const struct trace_info *second = s->second;
	char *faults = describe_faults(second, NULL, &alone, rank_at_edge);
	char *at = sizes_text(info, info), *other = sizes_text(info, second);
	char *was = v->why;
	bool right = v->kind == VERDICT_RIGHT;

	if (at && other && faults && !s->multiples) {
		v->kind = VERDICT_WRONG;
		v->why = xasprintf(right ?
			_("right at %1$s, a multiple of its tile; at %2$s "
			  "%3$s") :
			_("no fault at %1$s, a multiple of its tile; at %2$s "
			  "%3$s"), at, other, faults);
	} else if (at && other && faults && right) {
		v->why = xasprintf(_("%1$s, at %2$s; only multiples of its "
				     "tile are meant"), was, at);
	} else if (at && other && right && is_checked(second)) {
		v->why = xasprintf(_("%1$s, at %2$s and %3$s"), was, at,
				   other);
	} else if (at && right) {
		v->why = xasprintf(_("%1$s, at %2$s"), was, at);
	}
	if (v->why != was)
		free(was);
	free(faults);
	free(other);
	free(at);
}

struct verdict verdict_of_sizes(const struct trace_info *info, struct trace *t,
				const struct sizes_tried *s)
{
	struct verdict v = judge_first(info, t, s);

	if (s->second && v.kind != VERDICT_WRONG)
		judge_second(&v, info, s);
	else if (s->given && v.kind == VERDICT_RIGHT)
		name_size(&v, _("%1$s, at the given size %2$s"),
			  sizes_text(info, info));
	else if (s->given && v.kind == VERDICT_WRONG)
		name_size(&v, _("%1$s; at the given size %2$s"),
			  sizes_text(info, info));
	return v;
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
