/*
 * report_list: see report_list.h.
 */
#include "analysis/finding_text.h"
#include "analysis/report_list.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/report_parts.h"
#include "base/lang.h"

/* Ranks after those of finding_severity(), of which caps and notes are the
 * last two. */
enum { RANK_BARRIER = 7, RANK_CAP, RANK_COST, RANK_HELD, RANK_NOTE };

/* ---- shares ---- */

/* Returns the cost of the whole kernel: its sectors, wavefronts and passes,
 * each counted as one, as advice does. */
static int64_t whole_cost(const struct report *r)
{
	int64_t cost = 0;

	for (size_t i = 0; i < r->site_count; i++) {
		const struct report_site *s = &r->sites[i];

		cost += s->sectors > 0 ? s->sectors : 0;
		cost += s->wavefronts > 0 ? s->wavefronts : 0;
		cost += s->passes > 0 ? s->passes : 0;
	}
	return cost;
}

/* Returns what a site costs above its ideal, in the unit of a finding. */
static int64_t excess_cost(const struct report_finding *f)
{
	const struct report_site *s = f->site;

	if (!strcmp(f->kind, "uncoalesced"))
		return s->sectors - s->ideal_sectors;
	if (!strcmp(f->kind, "bank-conflict"))
		return s->wavefronts - s->ideal_wavefronts;
	return strcmp(f->kind, "serialized") ? 0 : s->passes - s->requests;
}

static double share_of(const struct report *r, int64_t cost)
{
	int64_t all = whole_cost(r);

	return all > 0 && cost > 0 ? (double)cost / (double)all : 0;
}

double report_advice_share(const struct report *r, const struct advice *a)
{
	if (a->kind == ADVICE_BARRIER_MISSING ||
	    a->counts[0].unit == ADVICE_WARPS)
		return -1;
	return MIN(share_of(r, a->saves), 1);
}

/* ---- the order ---- */

static int rank_finding(const struct report_finding *f)
{
	int severity;

	if (!f->of)	/* misaligned is a bad access */
		return strcmp(f->kind, "misaligned") ? RANK_COST : 2;
	if (f->not_meant)
		return RANK_NOTE;
	severity = finding_severity(f->of);
	return f->of->kind == FINDING_CAP ? RANK_CAP :
	       f->of->kind == FINDING_NOTE ? RANK_NOTE : severity;
}

static int rank_listed_advice(const struct advice *a)
{
	if (a->kind == ADVICE_BARRIER_MISSING)
		return RANK_BARRIER;
	return a->counts[0].unit == ADVICE_WARPS ? RANK_HELD : RANK_COST;
}

static bool is_listed_before(const struct report_entry *a,
			     const struct report_entry *b)
{
	return a->rank != b->rank ? a->rank < b->rank : a->share > b->share;
}

/* Sorts few entries; equal ones keep their order. */
static void sort_entries(struct report_entry *list, size_t count)
{
	for (size_t i = 1; i < count; i++)
		for (size_t k = i; k && is_listed_before(&list[k], &list[k - 1]);
		     k--) {
			struct report_entry e = list[k];

			list[k] = list[k - 1];
			list[k - 1] = e;
		}
}

static size_t list_findings(const struct report *r, struct report_entry *list)
{
	for (size_t i = 0; i < r->finding_count; i++) {
		const struct report_finding *f = &r->findings[i];
		int rank = rank_finding(f);

		list[i] = (struct report_entry){
			.finding = f, .rank = rank,
			.share = rank == RANK_COST ?
				 share_of(r, excess_cost(f)) : -1 };
	}
	return r->finding_count;
}

struct report_entry *report_list(const struct report *r, size_t *count)
{
	size_t more = r->advice ? r->advice->count : 0;
	struct report_entry *list =
		xcalloc(r->finding_count + more + 1, sizeof(*list));

	*count = list_findings(r, list);
	for (size_t i = 0; i < more; i++) {
		const struct advice *a = &r->advice->list[i];

		list[(*count)++] = (struct report_entry){
			.advice = a, .rank = rank_listed_advice(a),
			.share = report_advice_share(r, a) };
	}
	sort_entries(list, *count);
	return list;
}

void report_findings_sort(struct report *r)
{
	struct report_entry *list =
		xcalloc(r->finding_count + 1, sizeof(*list));
	struct report_finding *sorted =
		xcalloc(r->finding_count + 1, sizeof(*sorted));
	size_t count = list_findings(r, list);

	sort_entries(list, count);
	for (size_t i = 0; i < count; i++) {
		sorted[i] = *list[i].finding;
		sorted[i].share = list[i].share;
	}
	free(list);
	free(r->findings);
	r->findings = sorted;
}

/* ---- in words ---- */

/* Returns the kind of an entry, with its share: "uncoalesced, 31 %". */
static char *entry_kind(const struct report_entry *e)
{
	char *kind = e->advice ? xstrdup(_("advice")) :
				 finding_heading(e->finding->kind);
	char *with;

	if (e->share < 0.005)
		return kind;
	with = xasprintf(_("%1$s, %2$.0f %% of the cost"), kind,
			 100 * e->share);
	free(kind);
	return with;
}

static char *entry_line(const struct report *r, const struct report_entry *e)
{
	uint32_t at = e->advice ? e->advice->line : e->finding->line;
	char *text = e->advice ? advice_text(r->info, e->advice) :
				 xstrdup(e->finding->text);
	char *kind = entry_kind(e);
	char *line = at ? xasprintf(_("  line %1$u, %2$s: %3$s"), at, kind,
				    text) :
			  xasprintf(_("  %1$s: %2$s"), kind, text);

	free(text);
	free(kind);
	return line;
}

void report_list_print(const struct report *r, FILE *out)
{
	size_t count;
	struct report_entry *list = report_list(r, &count);

	fprintf(out, "\n%s\n", !r->advice ? _("Findings") :
			       _("Findings and advice (each advice is "
				 "independent of the others)"));
	if (!count)
		fprintf(out, "  %s\n", _("none"));
	for (size_t i = 0; i < count; i++) {
		char *line = entry_line(r, &list[i]);

		report_wrapped(line, 4, out);
		free(line);
	}
	free(list);
}
