/*
 * trace_parse_tables: head and tables. See trace_parse.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "trace/finding.h"
#include "trace/trace_parse.h"

/* ---- head ---- */

static char *head_string(struct parse *s, const char *name)
{
	char *text;

	parse_line_next(s);
	parse_need(s, name);
	text = parse_string(s);
	parse_line_end(s);
	return text;
}

static struct trace_dim head_dim(struct parse *s, const char *name)
{
	struct trace_dim d;

	parse_line_next(s);
	parse_need(s, name);
	d.x = parse_u32(s);
	d.y = parse_u32(s);
	d.z = parse_u32(s);
	parse_line_end(s);
	return d;
}

static bool head_yes(struct parse *s, const char *name)
{
	bool yes;

	parse_line_next(s);
	parse_need(s, name);
	parse_need(s, " ");
	yes = parse_take(s, "yes");
	if (!yes)
		parse_need(s, "no");
	parse_line_end(s);
	return yes;
}

/* Parses the problem's line, where the text has one, and goes on to the line of
 * the spaces. */
static void head_problem(struct parse *s)
{
	parse_line_next(s);
	if (s->bad || !parse_at_keyword(s, "problem"))
		return;
	parse_need(s, "problem");
	s->info.problem = parse_string(s);
	s->info.check = parse_string(s);
	parse_line_end(s);
	parse_line_next(s);
}

static void head_spaces(struct parse *s)
{
	parse_need(s, "spaces");
	while (!s->bad && s->p < s->end) {
		uint32_t bit = 1u << parse_name(s, space_from, _("a space"));

		if (s->info.spaces >= bit)
			parse_expected(s, _("spaces in order: global shared "
					    "register constant"));
		s->info.spaces |= bit;
	}
}

/* Leaves the line behind the text as the current one. */
static void head_text(struct parse *s)
{
	struct str out = { 0 };

	parse_line_next(s);
	parse_need(s, "text");
	parse_line_end(s);
	parse_line_next(s);
	while (parse_take(s, "|")) {
		parse_rest(s, &out, false);
		str_addc(&out, '\n');
		parse_line_next(s);
	}
	if (parse_take(s, "!")) {
		if (s->p == s->end)
			parse_expected(s, _("a last line that is not empty"));
		parse_rest(s, &out, false);
		parse_line_next(s);
	}
	s->info.text = str_take(&out);
}

void parse_head(struct parse *s)
{
	struct trace_info *info = &s->info;
	struct trace_dim size;
	const char *wrong;

	parse_line_next(s);
	parse_need(s, "gemmviz trace 1");
	parse_line_end(s);
	info->kernel = head_string(s, "kernel");
	info->file = head_string(s, "file");
	info->on = head_string(s, "on");
	info->device = head_string(s, "device");
	size = head_dim(s, "size");
	info->m = size.x;
	info->n = size.y;
	info->k = size.z;
	info->grid = head_dim(s, "grid");
	info->block = head_dim(s, "block");
	wrong = trace_launch_wrong(info);
	if (wrong)
		parse_expected(s, wrong);
	parse_line_next(s);
	parse_need(s, "seed ");
	info->seed = parse_number(s, UINT64_MAX, _("a number of 64 bits"));
	parse_line_end(s);
	info->values = head_yes(s, "values");
	info->partial = head_yes(s, "partial");
	head_problem(s);
	head_spaces(s);
	head_text(s);
}

/* ---- tables ---- */

static void table_define(struct parse *s)
{
	struct trace_define *d;

	if (s->info.define_count == TRACE_MAX_DEFINES)
		parse_expected(s, _("fewer defines"));
	grow(&s->info.defines, &s->define_capacity, s->info.define_count + 1,
	     sizeof(*d));
	d = &s->info.defines[s->info.define_count++];
	d->name = parse_string(s);
	d->value = parse_string(s);
}

/* Parses the number of a table's entry, which must be `next`. */
static void table_number(struct parse *s, size_t next, size_t highest)
{
	char what[40];

	parse_need(s, " ");
	snprintf(what, sizeof(what), _("number %zu"), next);
	if (parse_number(s, highest - 1, what) != next)
		parse_expected(s, what);
}

static void table_array(struct parse *s)
{
	struct trace_array *a;
	const char *wrong;

	table_number(s, s->info.array_count, TRACE_MAX_ARRAYS);
	grow(&s->info.arrays, &s->array_capacity, s->info.array_count + 1,
	     sizeof(*a));
	a = &s->info.arrays[s->info.array_count++];
	memset(a, 0, sizeof(*a));
	a->name = parse_string(s);
	a->space = parse_name(s, space_from, _("a space"));
	a->elem = parse_name(s, elem_from, _("an element type"));
	a->elem_bytes = parse_u32(s);
	parse_need(s, " ");
	do {
		parse_need(s, "[");
		a->dims[a->rank++] = parse_number(s, UINT64_MAX,
						  _("a dimension"));
		parse_need(s, "]");
	} while (!s->bad && a->rank < TRACE_MAX_RANK && s->p < s->end &&
		 *s->p == '[');
	parse_need(s, " at 0x");
	a->base = parse_digits(s, 16, UINT64_MAX, _("an address"));
	wrong = s->bad ? NULL : trace_array_wrong(a);
	if (wrong)
		parse_expected(s, wrong);
}

/* Parses " tile 1 64 64 of 2 next 0 pitch 128 swizzle 128 blocks 0". */
static struct trace_tile site_tile(struct parse *s)
{
	struct trace_tile t;

	parse_need(s, " tile");
	t.parts = parse_u32(s);
	t.rows = parse_u32(s);
	t.columns = parse_u32(s);
	parse_need(s, " of");
	t.bytes = parse_u32(s);
	parse_need(s, " next");
	t.next = parse_u32(s);
	parse_need(s, " pitch");
	t.pitch = parse_u32(s);
	parse_need(s, " swizzle");
	t.swizzle = parse_u32(s);
	parse_need(s, " blocks");
	t.blocks = parse_u32(s);
	if (!s->bad && !t.rows)
		parse_expected(s, _("a tile of at least one row"));
	return t;
}

static void table_site(struct parse *s)
{
	struct trace_site site = { .array = TRACE_NO_ARRAY };
	const char *wrong;

	table_number(s, s->info.site_count, TRACE_MAX_SITES);
	site.line = parse_u32(s);
	parse_need(s, ":");
	site.column = (uint32_t)parse_number(s, UINT32_MAX,
					     _("a number of 32 bits"));
	trace_site_decode(&site,
			  (uint32_t)parse_name(s, trace_site_code_from,
					       _("an operation")));
	if (op_has_array(site.op)) {
		site.bytes = parse_u32(s);
		parse_need(s, " array");
		site.array = parse_u32(s);
	}
	if (!s->bad && s->p < s->end && *s->p == ' ')
		site.tile = site_tile(s);
	wrong = s->bad ? NULL : trace_site_wrong(&site, s->info.array_count);
	if (wrong)
		parse_expected(s, wrong);
	grow(&s->info.sites, &s->site_capacity, s->info.site_count + 1,
	     sizeof(site));
	s->info.sites[s->info.site_count++] = site;
}

static void finding_access(struct parse *s, struct finding_access *a)
{
	a->op = parse_name(s, op_from, _("an operation"));
	a->bytes = parse_u32(s);
	a->line = parse_u32(s);
	parse_need(s, ":");
	a->column = (uint32_t)parse_number(s, UINT32_MAX,
					   _("a number of 32 bits"));
	parse_need(s, " by");
	a->block = parse_u32(s);
	a->thread = parse_u32(s);
}

static int64_t next_offset(struct parse *s)
{
	int64_t sign;

	parse_need(s, " ");
	sign = parse_take(s, "-") ? -1 : 1;
	return sign * (int64_t)parse_number(s, FINDING_MAX_OFFSET,
					    _("an offset"));
}

static double next_double(struct parse *s)
{
	uint64_t bits;
	double v;

	parse_need(s, " 0x");
	bits = parse_digits(s, 16, UINT64_MAX, _("a number of 64 bits"));
	memcpy(&v, &bits, sizeof(v));
	return v;
}

/* Parses the rest of a finding after its cause. */
static void finding_data(struct parse *s, struct trace_finding *f)
{
	f->kind = finding_cause(f->cause)->kind;
	finding_access(s, &f->access);
	parse_need(s, " other");
	finding_access(s, &f->other);
	parse_need(s, " array");
	if (!parse_take(s, " none"))
		f->array = parse_u32(s);
	parse_need(s, " at");
	f->offset = next_offset(s);
	parse_need(s, " words");
	f->word = parse_string(s);
	f->other_word = parse_string(s);
	parse_need(s, " numbers");
	for (size_t i = 0; i < finding_numbers(f->cause); i++)
		f->number[i] = parse_u64(s);
	parse_need(s, " expected");
	f->expected = next_double(s);
	parse_need(s, " got");
	f->got = next_double(s);
	parse_need(s, " count");
	f->count = parse_u64(s);
}

static int size_letter(const char *word)
{
	return !strcmp(word, "none") ? 0 :
	       strlen(word) == 1 && strchr("mnk", *word) ? *word : -1;
}

static void table_argument(struct parse *s)
{
	struct trace_argument *a;
	const char *wrong;

	if (s->info.argument_count == TRACE_MAX_ARGUMENTS)
		parse_expected(s, _("fewer arguments"));
	grow(&s->info.arguments, &s->argument_capacity,
	     s->info.argument_count + 1, sizeof(*a));
	a = &s->info.arguments[s->info.argument_count++];
	*a = (struct trace_argument){ .array = TRACE_NO_ARRAY };
	a->name = parse_string(s);
	a->type = parse_string(s);
	parse_need(s, " array");
	if (!parse_take(s, " none"))
		a->array = parse_u32(s);
	parse_need(s, " by");
	a->decided = parse_name(s, decided_from, _("who decided"));
	parse_need(s, " value");
	a->value = parse_string(s);
	parse_need(s, " size");
	a->size = (uint32_t)parse_name(s, size_letter, "m, n, k, none");
	parse_need(s, " before");
	a->before = parse_u64(s);
	parse_need(s, " holds");
	a->low = next_double(s);
	a->high = next_double(s);
	parse_need(s, " by");
	a->filled = parse_name(s, decided_from, _("who decided"));
	wrong = s->bad ? NULL : trace_argument_wrong(a, s->info.array_count);
	if (wrong)
		parse_expected(s, wrong);
}

static void table_devices(struct parse *s)
{
	s->info.devices = parse_u32(s);
	parse_need(s, " own");
	s->info.own = parse_u32(s);
	if (!s->bad && (!s->info.devices || s->info.devices > DEVICES_MOST))
		parse_expected(s, _("at most 16 devices"));
}

/* Parses `word`, then "host" or a device's number. */
static uint32_t work_side(struct parse *s, const char *word)
{
	parse_need(s, word);
	return parse_take(s, " host") ? WORK_HOST : parse_u32(s);
}

static uint32_t work_number(struct parse *s, const char *word)
{
	parse_need(s, word);
	return parse_u32(s);
}

static void table_work(struct parse *s)
{
	struct trace_work *w;
	const char *wrong;

	if (s->info.work_count == TRACE_MAX_WORKS)
		parse_expected(s, _("less work"));
	grow(&s->info.works, &s->work_capacity, s->info.work_count + 1,
	     sizeof(*w));
	w = &s->info.works[s->info.work_count++];
	memset(w, 0, sizeof(*w));
	w->kind = parse_name(s, work_kind_from, _("a known kind of work"));
	w->device = work_side(s, " to");
	w->from = work_side(s, " from");
	w->stream = work_number(s, " stream");
	w->turn = work_number(s, " turn");
	w->group = work_number(s, " group");
	w->line = work_number(s, " line");
	w->m = work_number(s, " size");
	w->n = parse_u32(s);
	w->k = parse_u32(s);
	parse_need(s, " bytes");
	w->bytes = parse_u64(s);
	w->what = parse_string(s);
	w->name = parse_string(s);
	wrong = s->bad ? NULL : trace_work_wrong(w, s->info.devices);
	if (wrong)
		parse_expected(s, wrong);
}

/* A cause, GVT_CAUSE more, or the kind of one that is not known. */
static int code_from(const char *word)
{
	int cause = finding_cause_from(word);

	return cause < 0 ? finding_from(word) : GVT_CAUSE + cause;
}

static void table_finding(struct parse *s)
{
	struct trace_finding *f;
	const char *wrong;
	int code;

	if (s->info.finding_count == TRACE_MAX_FINDINGS)
		parse_expected(s, _("fewer findings"));
	grow(&s->info.findings, &s->finding_capacity,
	     s->info.finding_count + 1, sizeof(*f));
	f = &s->info.findings[s->info.finding_count++];
	*f = (struct trace_finding){ .array = TRACE_NO_ARRAY, .count = 1 };
	code = parse_name(s, code_from, _("a kind of finding"));
	if (code > GVT_CAUSE) {
		f->cause = code - GVT_CAUSE;
		finding_data(s, f);
	} else {
		f->kind = code;
		f->access.line = parse_u32(s);
		f->text = parse_string(s);
	}
	wrong = s->bad ? NULL : trace_finding_wrong(&s->info, f);
	if (wrong)
		parse_expected(s, wrong);
}

void parse_tables(struct parse *s)
{
	static const struct {
		const char *word;
		void (*entry)(struct parse *s);
	} lists[] = {
		{ "define", table_define }, { "array", table_array },
		{ "site", table_site }, { "argument", table_argument },
		{ "devices", table_devices }, { "work", table_work },
		{ "finding", table_finding },
	};
	const char *wrong;

	for (size_t i = 0; i < LENGTH(lists); i++)
		while (parse_at_keyword(s, lists[i].word)) {
			s->p += strlen(lists[i].word);
			lists[i].entry(s);
			parse_line_end(s);
			parse_line_next(s);
		}
	wrong = s->bad ? NULL : trace_works_wrong(&s->info);
	if (wrong)
		parse_expected(s, wrong);
	if (s->bad)
		return;
	s->plans = xcalloc(s->info.site_count, sizeof(*s->plans));
	for (size_t i = 0; i < s->info.site_count; i++)
		s->plans[i] = trace_site_plan(&s->info, i);
}
