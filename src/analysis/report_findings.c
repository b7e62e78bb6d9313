/* report_findings: what is wrong, or costs more than necessary. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/finding_groups.h"
#include "analysis/pattern.h"
#include "analysis/report_count.h"
#include "base/lang.h"
#include "base/text.h"

#define DIGITS(n) format_number((char[24]){ 0 }, n)

static const char *format_number(char buf[24], int64_t n)
{
	snprintf(buf, 24, "%" PRId64, n);
	return buf;
}

static void add_finding(struct report *r, size_t *capacity, const char *kind,
			uint32_t line, char *text,
			const struct trace_finding *of,
			const struct report_site *site)
{
	grow(&r->findings, capacity, r->finding_count + 1,
	     sizeof(*r->findings));
	r->findings[r->finding_count++] = (struct report_finding){
		.kind = kind, .line = line, .text = text, .of = of,
		.site = site,
	};
}

/* The pass and bank with the most words, and the lanes that want them. */
static size_t worst_bank(const struct access *a, struct access_word *w,
			 size_t *start)
{
	int passes;
	size_t count = access_words(a, w, &passes), best = 0, from = 0;

	for (size_t i = 0; i < count; i++) {
		if (w[i].pass != w[from].pass || w[i].bank != w[from].bank)
			from = i;
		if (i - from + 1 > best) {
			best = i - from + 1;
			*start = from;
		}
	}
	return best;
}

/* Returns the byte of its array that the first of a word's lanes accesses in
 * it: several elements may share the word. */
static uint64_t accessed_offset(const struct trace_array *a,
				const struct trace_request *r,
				const struct access_word *w)
{
	uint64_t from = w->word * BANK_BYTES - a->base;

	return MAX(from, r->offset[__builtin_ctz(w->lanes)]);
}

/* Returns the first words of a bank, by the elements that lanes access there:
 * "As[0][3], As[1][3], As[2][3], ..."; the caller frees it. */
static char *word_names(const struct trace_array *a,
			const struct trace_request *r,
			const struct access_word *w, size_t count)
{
	struct str s = { 0 };

	for (size_t i = 0; i < MIN(count, 3); i++) {
		char name[120];

		array_element(a, accessed_offset(a, r, &w[i]), 1, name,
			      sizeof(name));
		str_addf(&s, "%s%s", i ? ", " : "", name);
	}
	if (count > 3)
		str_add(&s, ", ...");
	return str_take(&s);
}

/* Returns the format of a conflict's sentence: it has "an" before 8, 11 and
 * 18. */
static const char *conflict_format(enum op op, size_t ways)
{
	bool an = ways == 8 || ways == 11 || ways == 18;

	if (op == OP_ST)
		return an ?
			_("Storing to %1$s takes %2$s wavefronts where %3$s "
			  "would do: at worst, lanes %5$s access %4$zu "
			  "different words of bank %6$d (%7$s), an %4$zu-way "
			  "conflict.") :
			_("Storing to %1$s takes %2$s wavefronts where %3$s "
			  "would do: at worst, lanes %5$s access %4$zu "
			  "different words of bank %6$d (%7$s), a %4$zu-way "
			  "conflict.");
	return an ?
		_("Loading from %1$s takes %2$s wavefronts where %3$s would "
		  "do: at worst, lanes %5$s access %4$zu different words of "
		  "bank %6$d (%7$s), an %4$zu-way conflict.") :
		_("Loading from %1$s takes %2$s wavefronts where %3$s would "
		  "do: at worst, lanes %5$s access %4$zu different words of "
		  "bank %6$d (%7$s), a %4$zu-way conflict.");
}

static char *conflict_text(const struct report_counter *c,
			   const struct site_tally *t)
{
	struct access a;
	struct access_word w[4 * WARP_LANES];
	size_t start = 0, count;
	uint32_t mask = 0;
	char lanes[80], *names, *text;

	access_of(c->info, t->worst, &a);
	count = worst_bank(&a, w, &start);
	for (size_t i = start; i < start + count; i++)
		mask |= w[i].lanes;
	pattern_lanes(mask, lanes, sizeof(lanes));
	names = word_names(t->array, t->worst, w + start, count);
	text = xasprintf(conflict_format(t->row->op, count),
		t->row->array, DIGITS(t->row->wavefronts),
		DIGITS(t->row->ideal_wavefronts), count, lanes,
		w[start].bank, names);
	free(names);
	return text;
}

static char *uncoalesced_text(const struct report_counter *c,
			      const struct site_tally *t)
{
	char *clause = pattern_clause(c->info, t->worst), *text;
	double factor = (double)t->row->sectors /
			(double)t->row->ideal_sectors;
	bool store = t->row->op == OP_ST;
	char times[24];

	snprintf(times, sizeof(times), "%.3g", factor);
	text = xasprintf(store ?
		_("Storing to %1$s takes %2$s sectors where %3$s would do, "
		  "%4$s times as many: at worst, %5$s.") :
		_("Loading from %1$s takes %2$s sectors where %3$s would do, "
		  "%4$s times as many: at worst, %5$s."),
		t->row->array, DIGITS(t->row->sectors),
		DIGITS(t->row->ideal_sectors), times, clause);
	free(clause);
	return text;
}

static char *serialized_text(const struct report_counter *c,
			     const struct site_tally *t)
{
	char *clause = pattern_clause(c->info, t->worst), *text;

	text = xasprintf(_("Loading from %1$s takes %2$s passes where %3$s "
			   "would do: constant memory serves one word at a "
			   "time, and at worst, %4$s."), t->row->array,
			 DIGITS(t->row->passes), DIGITS(t->row->requests),
			 clause);
	free(clause);
	return text;
}

static char *divergent_text(const struct report_counter *c,
			    const struct site_tally *t)
{
	char lanes[80];

	(void)c;
	pattern_lanes(t->idle, lanes, sizeof(lanes));
	return xasprintf(t->row->op == OP_ST ?
		_("In %1$s of %2$s stores to %3$s, some lanes are inactive (at "
		  "most lanes %4$s).") :
		_("In %1$s of %2$s loads from %3$s, some lanes are inactive "
		  "(at most lanes %4$s)."), DIGITS(t->divergent),
		DIGITS(t->row->requests), t->row->array, lanes);
}

static char *misaligned_text(const struct report_counter *c,
			     const struct site_tally *t)
{
	(void)c;
	return xasprintf(_("%1$s of %2$s accesses to %3$s have an address that "
			   "is not a multiple of %4$d: an error on a GPU."),
			 DIGITS(t->misaligned),
			 DIGITS(t->row->requests), t->row->array,
			 (int)t->row->bytes);
}

static bool is_misaligned(const struct site_tally *t)
{
	return t->misaligned > 0;
}

static bool is_conflict(const struct site_tally *t)
{
	return t->worst && t->array->space == SPACE_SHARED;
}

static bool is_uncoalesced(const struct site_tally *t)
{
	return t->worst && t->array->space == SPACE_GLOBAL;
}

static bool is_serialized(const struct site_tally *t)
{
	return t->worst && t->array->space == SPACE_CONSTANT;
}

static bool is_divergent(const struct site_tally *t)
{
	return t->divergent > 0;
}

/* What the model can find at a site. */
static const struct judge {
	const char *kind;
	bool (*applies)(const struct site_tally *t);
	char *(*text)(const struct report_counter *c,
		      const struct site_tally *t);
} judges[] = {
	{ "misaligned", is_misaligned, misaligned_text },
	{ "bank-conflict", is_conflict, conflict_text },
	{ "uncoalesced", is_uncoalesced, uncoalesced_text },
	{ "serialized", is_serialized, serialized_text },
	{ "divergent", is_divergent, divergent_text },
};

static void judge_rows(const struct report_counter *c, struct site_tally **rows,
		       struct report *r, size_t *capacity)
{
	for (size_t j = 0; j < LENGTH(judges); j++)
		for (size_t i = 0; i < r->site_count; i++)
			if (judges[j].applies(rows[i]))
				add_finding(r, capacity, judges[j].kind,
					    rows[i]->row->line,
					    judges[j].text(c, rows[i]), NULL,
					    rows[i]->row);
}

/* Adds what was found at the second size alone. */
static void add_second_findings(struct report *r, size_t *capacity)
{
	const struct trace_info *second = r->tried.second;
	char *size = sizes_text(r->info, second);
	size_t count;
	struct told_finding *told = findings_tell(second, NULL, &count);

	for (size_t i = 0; i < count && size; i++) {
		struct report_finding *f;

		if (!finding_is_fault(told[i].of))
			continue;
		add_finding(r, capacity, finding_name(told[i].of->kind),
			    told[i].of->access.line,
			    xasprintf(r->tried.multiples ?
				      _("at %1$s, which is no multiple of its "
					"tile (--sizes multiples): %2$s") :
				      _("at %1$s, which is no multiple of its "
					"tile: %2$s"), size, told[i].text),
			    told[i].of, NULL);
		f = &r->findings[r->finding_count - 1];
		f->second = second;
		f->not_meant = r->tried.multiples;
	}
	findings_told_done(told, count);
	free(size);
}

void report_findings_make(const struct report_counter *c, struct report *r,
			  struct site_tally **rows)
{
	size_t capacity = 0;

	size_t count;
	struct told_finding *told = findings_tell(c->info, c->trace, &count);

	for (size_t i = 0; i < count; i++)
		add_finding(r, &capacity, finding_name(told[i].of->kind),
			    told[i].of->access.line,
			    finding_text_chosen(c->info, told[i].of,
						told[i].text, &r->tried),
			    told[i].of, NULL);
	findings_told_done(told, count);
	if (r->tried.second)
		add_second_findings(r, &capacity);
	judge_rows(c, rows, r, &capacity);
}
