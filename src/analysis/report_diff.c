#include "analysis/finding_text.h"
#include "analysis/report_diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report_parts.h"
#include "base/columns.h"
#include "base/lang.h"
#include "base/text.h"
#include "trace/finding.h"

/* ---- match accesses ---- */

static const char *find_line(const char *text, uint32_t line)
{
	while (line-- > 1 && text) {
		text = strchr(text, '\n');
		if (text)
			text++;
	}
	return text ? text : "";
}

static const char *skip_line_blanks(const char *s)
{
	return s + strspn(s, " \t\r");
}

/* Returns whether two lines are the same except for blanks. */
static bool same_line(const char *a, const char *b)
{
	for (;;) {
		a = skip_line_blanks(a);
		b = skip_line_blanks(b);
		if (!*a || *a == '\n' || *a != *b)
			return (!*a || *a == '\n') && (!*b || *b == '\n');
		a++;
		b++;
	}
}

static bool is_same_access(const struct report_site *a,
			   const struct report_site *b)
{
	return a->space == b->space && a->op == b->op &&
	       !strcmp(a->word, b->word) && !strcmp(a->array, b->array);
}

static const struct report_site *find_partner(const struct report_diff *d,
					      const struct report_site *s,
					      const bool *taken, bool lines)
{
	const struct report *b = d->before;

	for (size_t i = 0; i < b->site_count; i++)
		if (!taken[i] && is_same_access(&b->sites[i], s) &&
		    (!lines ||
		     same_line(find_line(b->info->text, b->sites[i].line),
			       find_line(d->after->info->text, s->line))))
			return &b->sites[i];
	return NULL;
}

static void make_pairs(struct report_diff *d)
{
	const struct report *b = d->before, *a = d->after;
	bool *taken = xcalloc(b->site_count + 1, sizeof(*taken));

	d->pairs = xcalloc(a->site_count + b->site_count + 1,
			   sizeof(*d->pairs));
	d->count = a->site_count;
	for (size_t i = 0; i < a->site_count; i++)
		d->pairs[i].after = &a->sites[i];
	for (int lines = 1; lines >= 0; lines--)
		for (size_t i = 0; i < a->site_count; i++) {
			const struct report_site *s =
				d->pairs[i].before ?
					NULL :
					find_partner(d, &a->sites[i], taken,
						     lines);

			if (!s)
				continue;
			d->pairs[i].before = s;
			taken[s - b->sites] = true;
		}
	for (size_t i = 0; i < b->site_count; i++)
		if (!taken[i])
			d->pairs[d->count++].before = &b->sites[i];
	free(taken);
}

static const char *get_finding_array_name(const struct report *r,
					  const struct report_finding *f)
{
	if (f->site)
		return f->site->array;
	return f->of && f->of->array < r->info->array_count ?
	       r->info->arrays[f->of->array].name : "";
}

/* Lists the findings of r that s does not have; the caller frees the list. */
static const struct report_finding **
list_only_in(const struct report *r, const struct report *s, size_t *count)
{
	bool *taken = xcalloc(s->finding_count + 1, sizeof(*taken));
	const struct report_finding **list =
		xcalloc(r->finding_count + 1, sizeof(*list));

	for (size_t i = 0; i < r->finding_count; i++) {
		const struct report_finding *f = &r->findings[i], *g;
		size_t n = 0;

		for (; n < s->finding_count; n++) {
			g = &s->findings[n];
			if (!taken[n] && !strcmp(f->kind, g->kind) &&
			    !strcmp(get_finding_array_name(r, f),
				    get_finding_array_name(s, g)))
				break;
		}
		taken[n] = true;
		if (n == s->finding_count)
			list[(*count)++] = f;
	}
	free(taken);
	return list;
}

void report_diff_make(struct report_diff *d, const struct report *before,
		      const struct report *after)
{
	*d = (struct report_diff){ .before = before, .after = after };
	make_pairs(d);
	d->gone = list_only_in(before, after, &d->gone_count);
	d->come = list_only_in(after, before, &d->come_count);
}

void report_diff_done(struct report_diff *d)
{
	free(d->pairs);
	free(d->gone);
	free(d->come);
}

bool report_pair_same(const struct report_pair *p)
{
	const struct report_site *a = p->before, *b = p->after;

	return a && b && a->bytes == b->bytes && a->requests == b->requests &&
	       a->sectors == b->sectors && a->wavefronts == b->wavefronts &&
	       a->passes == b->passes;
}

bool report_diff_worse(const struct report_diff *d)
{
	for (size_t i = 0; i < d->come_count; i++)
		if (d->come[i]->of && finding_is_fault(d->come[i]->of))
			return true;
	return false;
}

/* ---- for people ---- */

/* Writes a cell such as "8192 -> 256", or one number if it did not change. */
static char *change_cell(const struct report_pair *p,
			 int64_t (*count)(const struct report_site *s))
{
	int64_t a = p->before ? count(p->before) : NA;
	int64_t b = p->after ? count(p->after) : NA;

	if (a == NA && b == NA)
		return xstrdup("");
	if (a == b || a == NA)
		return xasprintf("%" PRId64, b);
	if (b == NA)
		return xasprintf("%" PRId64 " -> ", a);
	return xasprintf("%" PRId64 " -> %" PRId64, a, b);
}

static int64_t requests(const struct report_site *s) { return s->requests; }
static int64_t sectors(const struct report_site *s) { return s->sectors; }
static int64_t wavefronts(const struct report_site *s)
{
	return s->wavefronts;
}

static char *change_line_cell(const struct report_pair *p)
{
	if (!p->before)
		return xasprintf("+%u", p->after->line);
	if (!p->after)
		return xasprintf("-%u", p->before->line);
	return p->before->line == p->after->line ?
	       xasprintf("%u", p->after->line) :
	       xasprintf("%u -> %u", p->before->line, p->after->line);
}

static void print_pairs(const struct report_diff *d, FILE *out)
{
	struct columns t = { .left = 1 << 1 | 1 << 2 };
	char **row = columns_row(&t);

	row[0] = xstrdup(_("line"));
	row[1] = xstrdup(_("array"));
	row[2] = xstrdup(_("op"));
	row[3] = xstrdup(_("requests"));
	row[4] = xstrdup(_("sectors"));
	row[5] = xstrdup(_("wavefronts"));
	for (size_t i = 0; i < d->count; i++) {
		const struct report_pair *p = &d->pairs[i];
		const struct report_site *s = p->after ? p->after : p->before;

		if (report_pair_same(p) || !op_is_access(s->op) ||
		    s->space == SPACE_REGISTER)
			continue;
		row = columns_row(&t);
		row[0] = change_line_cell(p);
		row[1] = report_name_cell(s->array);
		row[2] = xstrdup(s->word);
		row[3] = change_cell(p, requests);
		row[4] = change_cell(p, sectors);
		row[5] = change_cell(p, wavefronts);
	}
	if (t.count > 1)
		columns_print(&t, out);
	else
		fprintf(out, "  %s\n", _("no access costs more or less than "
					 "before"));
	columns_done(&t);
}

static int64_t add_or_na(int64_t a, int64_t b)
{
	return a == NA || b == NA ? NA : a + b;
}

static void print_total(const char *format, int64_t a, int64_t b, FILE *out)
{
	if (a == NA || b == NA || a == b)
		return;
	fputs("  ", out);
	fprintf(out, format, (long long)a, (long long)b);
	putc('\n', out);
}

static void print_changed_findings(const char *word,
				   const struct report_finding *const *list,
				   size_t count, FILE *out)
{
	for (size_t i = 0; i < count; i++) {
		const struct report_finding *f = list[i];
		char *kind = finding_heading(f->kind);
		char *line = f->line ?
			xasprintf(_("  %1$s: line %2$u, %3$s: %4$s"), word,
				  f->line, kind, f->text) :
			xasprintf(_("  %1$s: %2$s: %3$s"), word, kind, f->text);

		report_wrapped(line, 4, out);
		free(line);
		free(kind);
	}
}

void report_diff_print(const struct report_diff *d, FILE *out)
{
	const struct report *b = d->before, *a = d->after;

	print_pairs(d, out);
	print_total(_("sectors %1$lld -> %2$lld"),
		    add_or_na(b->global_load_sectors, b->global_store_sectors),
		    add_or_na(a->global_load_sectors, a->global_store_sectors),
		    out);
	print_total(_("shared wavefronts %1$lld -> %2$lld"),
		    add_or_na(b->shared_load_wavefronts,
			      b->shared_store_wavefronts),
		    add_or_na(a->shared_load_wavefronts,
			      a->shared_store_wavefronts),
		    out);
	print_changed_findings(_("gone"), d->gone, d->gone_count, out);
	print_changed_findings(_("new"), d->come, d->come_count, out);
	if (strcmp(b->answer, a->answer)) {
		char *line = xasprintf(_("  answer: %1$s; before: %2$s"),
				       a->answer, b->answer);

		report_wrapped(line, 4, out);
		free(line);
	}
}

/* ---- JSON ---- */

/* Returns a site as JSON, or null if there is none. */
static json_t *site_or_null(const struct report_site *s)
{
	return s ? report_site_json(s) : json_null();
}

static json_t *findings_json(const struct report_finding *const *list,
			     size_t count)
{
	json_t *all = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(all, json_pack("{s:s, s:o, s:s}",
			"kind", list[i]->kind,
			"line", list[i]->line ? json_integer(list[i]->line) :
						json_null(),
			"text", list[i]->text));
	return all;
}

json_t *report_diff_json(const struct report_diff *d)
{
	json_t *sites = json_array();

	for (size_t i = 0; i < d->count; i++) {
		const struct report_pair *p = &d->pairs[i];
		const char *change = !p->before ? "come" :
				     !p->after ? "gone" :
				     report_pair_same(p) ? "same" : "changed";

		json_array_append_new(sites, json_pack("{s:s, s:o, s:o}",
			"change", change, "before", site_or_null(p->before),
			"after", site_or_null(p->after)));
	}
	return json_pack("{s:o, s:o, s:o, s:[o, o]}", "sites", sites,
			 "findings_gone",
			 findings_json(d->gone, d->gone_count),
			 "findings_come",
			 findings_json(d->come, d->come_count),
			 "totals", report_totals_json(d->before),
			 report_totals_json(d->after));
}
