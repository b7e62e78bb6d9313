/* A report as JSON for programs and as tables for people. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/columns.h"
#include "base/lang.h"
#include "analysis/advice_json.h"
#include "analysis/finding_json.h"
#include "analysis/pattern.h"
#include "analysis/report_list.h"
#include "analysis/report_machine.h"
#include "analysis/report_parts.h"
#include "base/text.h"

/* ---- JSON ---- */

static json_t *count_or_null(int64_t n)
{
	return n == NA ? json_null() : json_integer(n);
}

static json_t *nonzero_or_null(uint32_t n)
{
	return n ? json_integer(n) : json_null();
}

/* Returns a JSON string of text that need not be UTF-8. */
static json_t *cleaned_json(const char *text)
{
	char *clean = text_clean(text, strlen(text), 0);
	json_t *j = json_string(clean);

	free(clean);
	return j;
}

static json_t *dim3_json(const struct trace_dim *d)
{
	return json_pack("[I,I,I]", (json_int_t)d->x, (json_int_t)d->y,
			 (json_int_t)d->z);
}

static json_t *warps_json(uint32_t warps)
{
	json_t *list = json_array();

	for (; warps; warps &= warps - 1)
		json_array_append_new(list,
				      json_integer(__builtin_ctz(warps)));
	return list;
}

json_t *report_site_json(const struct report_site *s)
{
	json_t *o = json_pack("{s:o, s:o, s:s, s:s, s:s, s:I, s:I, s:o, s:o, "
			 "s:o, s:o, s:o}", "line", nonzero_or_null(s->line),
			 "column", nonzero_or_null(s->column), "array", s->array,
			 "space", space_name(s->space), "op", s->word,
			 "bytes", (json_int_t)s->bytes,
			 "requests", (json_int_t)s->requests,
			 "sectors", count_or_null(s->sectors),
			 "ideal_sectors", count_or_null(s->ideal_sectors),
			 "wavefronts", count_or_null(s->wavefronts),
			 "ideal_wavefronts", count_or_null(s->ideal_wavefronts),
			 "max_way", count_or_null(s->max_way));

	if (s->passes != NA)
		json_object_set_new(o, "passes", count_or_null(s->passes));
	return o;
}

/* Returns a site as JSON; with the warps whose role it is, if it is no
 * access. */
static json_t *role_json(const struct report *r, const struct report_site *s)
{
	json_t *site = report_site_json(s);

	if (r->machine && op_is_access(s->op))
		json_object_set_new(site, "compiled",
				    report_compiled_json(r, s));

	if (!op_is_access(s->op))
		json_object_set_new(site, "warps", warps_json(s->warps));
	return site;
}

json_t *report_totals_json(const struct report *r)
{
	json_t *intensity = r->intensity < 0 ? json_null() :
			    json_real(r->intensity);

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
			 "s:o}", "global_load_requests",
			 count_or_null(r->global_load_requests),
			 "global_load_sectors",
			 count_or_null(r->global_load_sectors),
			 "global_store_requests",
			 count_or_null(r->global_store_requests),
			 "global_store_sectors",
			 count_or_null(r->global_store_sectors),
			 "shared_load_wavefronts",
			 count_or_null(r->shared_load_wavefronts),
			 "shared_store_wavefronts",
			 count_or_null(r->shared_store_wavefronts),
			 "flops", count_or_null(r->flops),
			 "bytes_global", count_or_null(r->bytes_global),
			 "intensity", intensity, "constant_load_requests",
			 count_or_null(r->constant_load_requests),
			 "constant_load_passes",
			 count_or_null(r->constant_load_passes));
}

static json_t *share_or_null(double share)
{
	return share < 0 ? json_null() : json_real(share);
}

/* Returns the advice, each piece with its share of the cost. */
static json_t *report_advice_json(const struct report *r)
{
	json_t *list = advice_json(r->info, r->advice);

	for (size_t i = 0; i < r->advice->count; i++)
		json_object_set_new(json_array_get(list, i), "share",
			share_or_null(report_advice_share(
				r, &r->advice->list[i])));
	return list;
}

/* Returns M, N and K of a launch. */
static json_t *sizes_json(const struct trace_info *info)
{
	return json_pack("[I, I, I]", (json_int_t)info->m, (json_int_t)info->n,
			 (json_int_t)info->k);
}

static json_t *finding_json(const struct trace_info *info,
			    const struct report_finding *f)
{
	json_t *o = json_pack("{s:s, s:o, s:s, s:o}", "kind", f->kind,
			      "line", nonzero_or_null(f->line), "text", f->text,
			      "share", share_or_null(f->share));

	if (f->of)
		finding_json_add(o, f->second ? f->second : info, f->of);
	if (f->second)
		json_object_set_new(o, "size", sizes_json(f->second));
	return o;
}

static json_t *double_or_null(double v)
{
	return v - v == 0 ? json_real(v) : json_null();
}

/* Adds the members of an argument that is an array. */
static void argument_array_json(json_t *o, const struct report *r,
				const struct trace_argument *a)
{
	const struct trace_array *array = &r->info->arrays[a->array];
	const struct report_range *range = &r->ranges[a->array];
	json_t *dims = json_array();

	for (uint32_t d = 0; d < array->rank; d++)
		json_array_append_new(dims,
				      json_integer((json_int_t)array->dims[d]));
	json_object_set_new(o, "dims", dims);
	json_object_set_new(o, "before", json_integer((json_int_t)a->before));
	json_object_set_new(o, "low", double_or_null(a->low));
	json_object_set_new(o, "high", double_or_null(a->high));
	json_object_set_new(o, "contents",
			    json_string(decided_name(a->filled)));
	json_object_set_new(o, "accessed", !range->known || !range->end ?
			    json_null() :
			    json_pack("[I,I]", (json_int_t)range->first,
				      (json_int_t)range->end - 1));
}

static json_t *arguments_json(const struct report *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->info->argument_count; i++) {
		const struct trace_argument *a = &r->info->arguments[i];
		bool is_array = a->array != TRACE_NO_ARRAY;
		char size[2] = { (char)a->size, 0 };
		json_t *o = json_pack("{s:o, s:o, s:s, s:o, s:o}",
				      "name", cleaned_json(a->name),
				      "type", cleaned_json(a->type),
				      "decided", decided_name(a->decided),
				      "value", is_array ? json_null() :
						cleaned_json(a->value),
				      "size", a->size ? json_string(size) :
							json_null());

		if (is_array)
			argument_array_json(o, r, a);
		json_array_append_new(list, o);
	}
	return list;
}

json_t *report_json(const struct report *r)
{
	const struct trace_info *i = r->info;
	json_t *sites = json_array(), *findings = json_array(), *o;
	char hash[17];

	for (size_t n = 0; n < r->site_count; n++)
		json_array_append_new(sites, role_json(r, &r->sites[n]));
	for (size_t n = 0; n < r->finding_count; n++)
		json_array_append_new(findings,
				      finding_json(i, &r->findings[n]));
	snprintf(hash, sizeof(hash), "%016" PRIx64,
		 hash_bytes(i->text, strlen(i->text)));
	o = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:s, "
		      "s:b, s:s, s:s, s:s, s:o, s:o, s:o}",
		      "kernel", cleaned_json(i->kernel),
		      "m", nonzero_or_null(i->m), "n", nonzero_or_null(i->n),
		      "k", nonzero_or_null(i->k),
		      "grid", dim3_json(&i->grid),
		      "block", dim3_json(&i->block), "on", cleaned_json(i->on),
		      "sites", sites, "text_hash", hash,
		      "problem", r->problem->name, "checked", r->checked,
		      "answer", r->answer,
		      "verdict", verdict_word(r->verdict.kind),
		      "verdict_why", r->verdict.why,
		      "arguments", arguments_json(r),
		      "totals", report_totals_json(r), "findings", findings);
	if (r->tried.second)
		json_object_set_new(o, "second_size",
				    sizes_json(r->tried.second));
	if (r->info->partial && r->blocks.count < r->blocks.of)
		json_object_set_new(o, "blocks", json_pack("{s:I, s:I}",
			"recorded", (json_int_t)r->blocks.count,
			"of", (json_int_t)r->blocks.of));
	if (r->machine)
		json_object_set_new(o, "machine", report_machine_json(r));
	else if (r->machine_missing)
		json_object_set_new(o, "machine", json_null());
	if (r->counters)
		json_object_set_new(o, "counters",
				    json_deep_copy(r->counters));
	if (r->advice)
		json_object_set_new(o, "advice", report_advice_json(r));
	return o;
}

/* ---- for people ---- */

#define PAGE_COLUMNS 80
#define NAME_COLUMNS 16

static char *number_cell(int64_t n)
{
	return n == NA ? xstrdup(_("n/a")) : xasprintf("%" PRId64, n);
}

static char *place_cell(const struct report_site *s)
{
	if (!s->line)
		return xstrdup(_("n/a"));
	return s->column ? xasprintf("%" PRIu32 ":%" PRIu32, s->line,
				     s->column) :
			   xasprintf("%" PRIu32, s->line);
}

char *report_name_cell(const char *name)
{
	size_t fit = text_fit(name, NAME_COLUMNS, NULL);

	return xasprintf("%.*s%s", (int)fit, name, !name[fit] ? "" :
			 lang_utf8() ? "\xE2\x80\xA6" : "...");
}

static void write_head(char **row, enum space space)
{
	row[0] = xstrdup(_("line"));
	row[1] = xstrdup(_("array"));
	row[2] = xstrdup(_("op"));
	row[3] = xstrdup(_("bytes"));
	row[4] = xstrdup(_("requests"));
	if (space == SPACE_GLOBAL) {
		row[5] = xstrdup(_("sectors"));
		row[6] = xstrdup(_("ideal"));
	} else if (space == SPACE_SHARED) {
		row[5] = xstrdup(_("wavefronts"));
		row[6] = xstrdup(_("ideal"));
		row[7] = xstrdup(_("way"));
	} else if (space == SPACE_CONSTANT) {
		row[5] = xstrdup(_("passes"));
		row[6] = xstrdup(_("ideal"));
	}
}

static void site_row(char **row, const struct report_site *s)
{
	row[0] = place_cell(s);
	row[1] = report_name_cell(s->array);
	row[2] = xstrdup(s->word);
	row[3] = number_cell(s->bytes);
	row[4] = number_cell(s->requests);
	if (s->space == SPACE_GLOBAL) {
		row[5] = number_cell(s->sectors);
		row[6] = number_cell(s->ideal_sectors);
	} else if (s->space == SPACE_SHARED) {
		row[5] = number_cell(s->wavefronts);
		row[6] = number_cell(s->ideal_wavefronts);
		row[7] = number_cell(s->max_way);
	} else if (s->space == SPACE_CONSTANT) {
		row[5] = number_cell(s->passes);
		row[6] = number_cell(s->requests);
	}
}

/* Adds a row with what the machine does, where that differs. */
static void compiled_row(struct columns *t, const struct report *r,
			 const struct report_site *s)
{
	struct machine_sum sum = report_machine_sum(r, s);
	const struct run_count *c = &sum.count;
	bool shared = s->space == SPACE_SHARED;
	char **row;

	if (report_machine_differs(s, &sum)) {
		row = columns_row(t);
		row[0] = xstrdup("");
		row[1] = xstrdup(_("as compiled"));
		row[2] = xasprintf("%u %s%s", sum.instructions, sum.name,
				   sum.mixed ? " ..." : "");
		row[3] = number_cell(sum.bytes);
		row[4] = number_cell((int64_t)c->requests);
		row[5] = number_cell((int64_t)(shared ? c->wavefronts :
							c->sectors));
		row[6] = number_cell((int64_t)(shared ? c->ideal_wavefronts :
							c->ideal_sectors));
		if (shared)
			row[7] = number_cell(c->max_way);
	}
	free(sum.name);
}

static void print_space(const struct report *r, enum space space,
			const char *title, FILE *out)
{
	struct columns t = { .left = 1 << 1 | 1 << 2 };

	write_head(columns_row(&t), space);
	for (size_t i = 0; i < r->site_count; i++)
		if (r->sites[i].space == space) {
			site_row(columns_row(&t), &r->sites[i]);
			compiled_row(&t, r, &r->sites[i]);
		}
	if (t.count > 1) {
		fprintf(out, "\n%s\n", title);
		columns_print(&t, out);
	}
	columns_done(&t);
}

/* Prints which warps arrive, wait and start asynchronous operations: warps may
 * have roles. */
static void print_warp_roles(const struct report *r, FILE *out)
{
	struct columns t = { .left = 1 << 1 | 1 << 2 | 1 << 3 };
	char **row = columns_row(&t), warps[80];

	row[0] = xstrdup(_("line"));
	row[1] = xstrdup(_("array"));
	row[2] = xstrdup(_("op"));
	row[3] = xstrdup(_("warps"));
	for (size_t i = 0; i < r->site_count; i++) {
		const struct report_site *s = &r->sites[i];

		if (op_is_access(s->op) || !s->warps)
			continue;
		pattern_lanes(s->warps, warps, sizeof(warps));
		row = columns_row(&t);
		row[0] = place_cell(s);
		row[1] = report_name_cell(s->array);
		row[2] = xstrdup(s->word);
		row[3] = xstrdup(warps);
	}
	if (t.count > 1) {
		fprintf(out, "\n%s\n", _("Warp roles"));
		columns_print(&t, out);
	}
	columns_done(&t);
}

/* Returns whether a line of a text without spaces may be broken before this
 * character. */
static bool can_break_before(const char *s, const char *at)
{
	static const char closing[] = "\uff0c\u3002\u3001\uff1a\uff1b\uff09";
	uint32_t before, after;
	const char *last = at;
	char mark[5] = "";

	while (last > s && ((unsigned char)*--last & 0xc0) == 0x80)
		;
	text_decode(last, (size_t)(at - last), &before);
	text_decode(at, strlen(at), &after);
	mark[text_encode(after, mark)] = '\0';
	return (text_char_width(before) == 2 || text_char_width(after) == 2) &&
	       !strstr(closing, mark);
}

/* Returns the bytes of s that make a line of at most `columns`. */
static size_t line_length(const char *s, int columns)
{
	size_t fit = text_fit(s, columns, NULL);

	if (!s[fit])
		return fit;
	for (size_t n = fit; n > 0; n--)
		if (s[n] == ' ' || (((unsigned char)s[n] & 0xc0) != 0x80 &&
				    can_break_before(s, s + n)))
			return n;
	return MAX(fit, 1);
}

/* Prints text in lines of 80 columns; all but the first are indented. */
void report_wrapped(const char *s, int indent, FILE *out)
{
	int margin = 0;

	while (*s) {
		size_t n = line_length(s, PAGE_COLUMNS - margin);

		fprintf(out, "%*s%.*s\n", margin, "", (int)n, s);
		s += n;
		s += strspn(s, " ");
		margin = indent;
	}
}

/* Adds which part of the launch the report is about. */
static void add_part(struct str *s, const struct report *r)
{
	const struct report_blocks *b = &r->blocks;
	char *count, *of;

	if (b->count == b->of) {
		str_add(s, _("; only part of the launch was recorded"));
		return;
	}
	count = number_cell((int64_t)b->count);
	of = number_cell((int64_t)b->of);
	str_addf(s, ngettext("; only %1$s of %2$s blocks was recorded",
			     "; only %1$s of %2$s blocks were recorded",
			     (unsigned long)b->count), count, of);
	str_add(s, b->count ? ":" : "");
	free(count);
	free(of);
	for (size_t i = 0; i < MIN(b->count, LENGTH(b->first)); i++) {
		struct trace_dim at = dim_of(r->info->grid, b->first[i]);

		str_addf(s, " (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", at.x,
			 at.y, at.z);
	}
	if (b->count > LENGTH(b->first))
		str_add(s, " ...");
}

static void print_title(const struct report *r, FILE *out)
{
	const struct trace_info *i = r->info;
	struct str s = { 0 };

	str_add(&s, text_show(i->kernel));
	for (size_t d = 0; d < i->define_count; d++)
		str_addf(&s, " %s=%s", text_show(i->defines[d].name),
			 text_show(i->defines[d].value));
	if (trace_has_size(i))
		str_addf(&s, _(", m %1$u, n %2$u, k %3$u"), i->m, i->n, i->k);
	str_addf(&s, _(", grid %1$u x %2$u x %3$u, block %4$u x %5$u x %6$u, "
		       "recorded on %7$s"), i->grid.x, i->grid.y, i->grid.z,
		 i->block.x, i->block.y, i->block.z, text_show(i->on));
	if (i->partial)
		add_part(&s, r);
	report_wrapped(s.data, 2, out);
	str_done(&s);
}

static void total_row(struct columns *t, const char *name, char *requests,
		      char *sectors, char *wavefronts)
{
	char **row = columns_row(t);

	row[0] = xstrdup(name);
	row[1] = requests;
	row[2] = sectors;
	row[3] = wavefronts;
}

static void print_arithmetic(const struct report *r, FILE *out)
{
	char *flops = number_cell(r->flops);
	char *bytes = number_cell(r->bytes_global);
	char *ratio = r->intensity < 0 ? xstrdup(_("n/a")) :
		      xasprintf("%.4g", r->intensity);

	fprintf(out, _("  %1$s FLOP, %2$s bytes of global memory, %3$s "
		       "FLOP/byte\n"), flops, bytes, ratio);
	free(flops);
	free(bytes);
	free(ratio);
}

/* Prints how the totals of some blocks relate to the whole launch. */
static void print_share(const struct report_blocks *b, FILE *out)
{
	if (b->count && b->count < b->of)
		fprintf(out, _("  for the recorded blocks; %.4g times as much "
			       "for all blocks, if the others do the\n"
			       "  same\n"),
			(double)b->of / (double)b->count);
}

static void print_answer(const struct report *r, FILE *out)
{
	char *line = xasprintf("  %s", r->answer);

	fprintf(out, "\n%s\n", _("Answer"));
	report_wrapped(line, 4, out);
	free(line);
}

/* Adds the totals of the machine's accesses. */
static void machine_rows(const struct report *r, struct columns *t)
{
	const struct machine_totals *m;

	if (!r->machine || r->machine->held == MACHINE_NO)
		return;
	m = &r->machine->totals;
	total_row(t, _("as compiled: global loads"),
		  number_cell(m->global_load_requests),
		  number_cell(m->global_load_sectors), xstrdup(""));
	total_row(t, _("as compiled: global stores"),
		  number_cell(m->global_store_requests),
		  number_cell(m->global_store_sectors), xstrdup(""));
	total_row(t, _("as compiled: shared loads"),
		  number_cell(m->shared_load_requests), xstrdup(""),
		  number_cell(m->shared_load_wavefronts));
	total_row(t, _("as compiled: shared stores"),
		  number_cell(m->shared_store_requests), xstrdup(""),
		  number_cell(m->shared_store_wavefronts));
}

static void print_report_totals(const struct report *r, FILE *out)
{
	struct columns t = { .left = 1 };

	total_row(&t, "", xstrdup(_("requests")), xstrdup(_("sectors")),
		  xstrdup(_("wavefronts")));
	total_row(&t, _("global loads"), number_cell(r->global_load_requests),
		  number_cell(r->global_load_sectors), xstrdup(""));
	total_row(&t, _("global stores"),
		  number_cell(r->global_store_requests),
		  number_cell(r->global_store_sectors), xstrdup(""));
	total_row(&t, _("shared loads"), xstrdup(""), xstrdup(""),
		  number_cell(r->shared_load_wavefronts));
	total_row(&t, _("shared stores"), xstrdup(""), xstrdup(""),
		  number_cell(r->shared_store_wavefronts));
	if (r->constant_load_requests > 0)
		total_row(&t, _("constant loads"),
			  number_cell(r->constant_load_requests), xstrdup(""),
			  xstrdup(""));
	machine_rows(r, &t);
	fprintf(out, "\n%s\n", _("Totals"));
	columns_print(&t, out);
	columns_done(&t);
	print_arithmetic(r, out);
	if (r->info->partial)
		print_share(&r->blocks, out);
}

/* Adds a row with a predicted and a measured count. */
static void counter_row(struct columns *t, const struct report *r,
			const char *name, const char *member, int64_t foretold)
{
	const json_t *v = json_object_get(r->counters, member);
	double counted = json_number_value(v);
	char **row = columns_row(t);

	row[0] = xstrdup(name);
	row[1] = number_cell(foretold);
	row[2] = json_is_number(v) ? xasprintf("%.0f", counted) :
				     number_cell(NA);
	row[3] = !json_is_number(v) || foretold <= 0 ? xstrdup("") :
		 xasprintf("%+.2f %%", 100 * (counted / (double)foretold - 1));
}

static int64_t shared_requests(const struct report *r, enum op op)
{
	int64_t n = 0;

	if (!(r->info->spaces >> SPACE_SHARED & 1))
		return NA;
	for (size_t i = 0; i < r->site_count; i++)
		if (r->sites[i].space == SPACE_SHARED && r->sites[i].op == op)
			n += r->sites[i].requests;
	return n;
}

static void print_counters(const struct report *r, FILE *out)
{
	struct columns t = { .left = 1 };
	char **row = columns_row(&t);

	row[0] = xstrdup("");
	row[1] = xstrdup(_("predicted"));
	row[2] = xstrdup(_("counted"));
	row[3] = xstrdup(_("difference"));
	counter_row(&t, r, _("global load requests"), "global_load_requests",
		    r->global_load_requests);
	counter_row(&t, r, _("global load sectors"), "global_load_sectors",
		    r->global_load_sectors);
	counter_row(&t, r, _("global store requests"),
		    "global_store_requests", r->global_store_requests);
	counter_row(&t, r, _("global store sectors"), "global_store_sectors",
		    r->global_store_sectors);
	counter_row(&t, r, _("shared load requests"),
		    "shared_load_instructions",
		    shared_requests(r, OP_LD));
	counter_row(&t, r, _("shared load wavefronts"),
		    "shared_load_wavefronts", r->shared_load_wavefronts);
	counter_row(&t, r, _("shared store requests"),
		    "shared_store_instructions",
		    shared_requests(r, OP_ST));
	counter_row(&t, r, _("shared store wavefronts"),
		    "shared_store_wavefronts", r->shared_store_wavefronts);
	counter_row(&t, r, _("DRAM bytes"), "dram_bytes", NA);
	fprintf(out, "\n%s\n", _("Hardware counters"));
	columns_print(&t, out);
	columns_done(&t);
}

void report_verdict_print(const struct verdict *v, FILE *out)
{
	char *line = verdict_text(v);

	report_wrapped(line, 2, out);
	free(line);
}

void report_print(const struct report *r, FILE *out)
{
	report_verdict_print(&r->verdict, out);
	print_title(r, out);
	report_arguments_print(r, out);
	print_space(r, SPACE_GLOBAL, _("Global memory"), out);
	print_space(r, SPACE_SHARED, _("Shared memory"), out);
	print_space(r, SPACE_CONSTANT, _("Constant memory"), out);
	print_space(r, SPACE_REGISTER, _("Registers"), out);
	print_warp_roles(r, out);
	print_report_totals(r, out);
	if (r->counters)
		print_counters(r, out);
	report_machine_print(r, out);
	print_answer(r, out);
	report_list_print(r, out);
}
