/*
 * trace_parse: the text of trace_text.c back into a trace. Strict: what
 * trace_dump would not write that way is, but for the choice of runs and of
 * forms of numbers, an error that names line and column.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "trace/finding.h"
#include "trace/trace_format.h"

struct parse {
	const char *p, *end;		/* of the line */
	const char *line_start, *stop;	/* stop: of the text */
	size_t line;
	bool bad;
	struct error *e;

	struct trace_info info;
	size_t define_capacity, array_capacity, site_capacity;
	size_t finding_capacity;
	struct site_plan *plans;
	struct trace_writer *writer;
	bool any_warp;
	uint32_t block, warp, lanes;
};

/* The first error stays. Returns 0, for callers that need a number. */
static uint64_t expected(struct parse *s, const char *what)
{
	if (!s->bad)
		error_set(s->e, EXIT_INPUT,
			  _("line %zu, column %zu: expected %s"), s->line,
			  (size_t)(s->p - s->line_start) + 1, what);
	s->bad = true;
	s->p = s->end;
	return 0;
}

/* ---- lines and words ---- */

static void line_next(struct parse *s)
{
	const char *newline;

	if (s->bad)
		return;
	s->line_start = s->p = s->line ? s->end + 1 : s->p;
	s->end = s->p;
	s->line++;
	newline = memchr(s->p, '\n', s->stop - s->p);
	if (newline)
		s->end = newline;
	else
		expected(s, _("a line that ends with a newline"));
}

static void line_end(struct parse *s)
{
	if (!s->bad && s->p != s->end)
		expected(s, _("the end of the line"));
}

/* Takes `word` if it stands here and no letter follows it. */
static bool take(struct parse *s, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(s->end - s->p) < n || memcmp(s->p, word, n) != 0)
		return false;
	s->p += n;
	return true;
}

static void need(struct parse *s, const char *word)
{
	char what[40];

	if (s->bad || take(s, word))
		return;
	snprintf(what, sizeof(what), "'%s'", word);
	expected(s, what);
}

/* Does the line begin with this keyword? */
static bool at_keyword(const struct parse *s, const char *word)
{
	size_t n = strlen(word);

	return !s->bad && (size_t)(s->end - s->p) >= n &&
	       memcmp(s->p, word, n) == 0 &&
	       (s->p + n == s->end || s->p[n] == ' ');
}

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' :
	       c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

static uint64_t digits(struct parse *s, unsigned radix, uint64_t highest,
		       const char *what)
{
	const char *start = s->p, *p = s->p;
	uint64_t v = 0;

	for (; p < s->end && digit(*p) < (int)radix; p++)
		if (__builtin_mul_overflow(v, radix, &v) ||
		    __builtin_add_overflow(v, digit(*p), &v) || v > highest)
			return expected(s, what);
	if (p == start || (*start == '0' && p - start > 1 && radix == 10))
		return expected(s, what);
	s->p = p;
	return v;
}

static uint64_t number(struct parse *s, uint64_t highest, const char *what)
{
	return digits(s, 10, highest, what);
}

/* " NUMBER" of 32 bits. */
static uint32_t next_u32(struct parse *s)
{
	need(s, " ");
	return (uint32_t)number(s, UINT32_MAX, _("a number of 32 bits"));
}

/* " WORD" of a table of words. */
static int next_name(struct parse *s, int (*from)(const char *),
		     const char *what)
{
	const char *start;
	char word[32];
	size_t n;
	int v;

	need(s, " ");
	start = s->p;
	while (s->p < s->end && *s->p != ' ')
		s->p++;
	n = s->p - start;
	snprintf(word, sizeof(word), "%.*s", (int)MIN(n, sizeof(word) - 1),
		 start);
	v = from(word);
	if (v < 0) {
		s->p = start;
		return (int)expected(s, what);
	}
	return v;
}

/* ---- strings ---- */

static void string_cp(struct parse *s, struct str *out)
{
	uint64_t cp = digits(s, 16, 0x10FFFF, _("a character's number"));
	char bytes[4];

	if (cp == 0 || (cp >= 0xD800 && cp <= 0xDFFF))
		expected(s, _("a character's number"));
	need(s, "}");
	str_addn(out, bytes, text_encode((uint32_t)cp, bytes));
}

static void string_escape(struct parse *s, struct str *out)
{
	static const char names[] = "\\\"trn", means[] = "\\\"\t\r\n";
	const char *name;

	if (take(s, "u{")) {
		string_cp(s, out);
	} else if (take(s, "x")) {
		if (s->end - s->p < 2 || digit(s->p[0]) > 15 ||
		    digit(s->p[1]) > 15 ||
		    (s->p[0] == '0' && s->p[1] == '0')) {
			expected(s, _("two hexadecimal digits, not 00"));
			return;
		}
		str_addc(out, (char)(digit(s->p[0]) << 4 | digit(s->p[1])));
		s->p += 2;
	} else if (s->p < s->end && (name = strchr(names, *s->p)) && *name) {
		str_addc(out, means[name - names]);
		s->p++;
	} else {
		expected(s, _("an escape: \\\\ \\\" \\t \\r \\n \\x \\u"));
	}
}

/* Adds characters up to the end of the line, or to a quote. */
static void string_rest(struct parse *s, struct str *out, bool quoted)
{
	while (!s->bad && s->p < s->end && !(quoted && *s->p == '"')) {
		if (take(s, "\\"))
			string_escape(s, out);
		else if (*s->p >= 0x20 && *s->p < 0x7F)
			str_addc(out, *s->p++);
		else
			expected(s, _("printable ASCII, all else escaped"));
	}
}

/* ' "STRING"' */
static char *next_string(struct parse *s)
{
	struct str out = { 0 };

	need(s, " \"");
	string_rest(s, &out, true);
	need(s, "\"");
	return str_take(&out);
}

/* ---- head ---- */

static char *head_string(struct parse *s, const char *name)
{
	char *text;

	line_next(s);
	need(s, name);
	text = next_string(s);
	line_end(s);
	return text;
}

static struct trace_dim head_dim(struct parse *s, const char *name)
{
	struct trace_dim d;

	line_next(s);
	need(s, name);
	d.x = next_u32(s);
	d.y = next_u32(s);
	d.z = next_u32(s);
	line_end(s);
	return d;
}

static bool head_yes(struct parse *s, const char *name)
{
	bool yes;

	line_next(s);
	need(s, name);
	need(s, " ");
	yes = take(s, "yes");
	if (!yes)
		need(s, "no");
	line_end(s);
	return yes;
}

static void head_spaces(struct parse *s)
{
	line_next(s);
	need(s, "spaces");
	while (!s->bad && s->p < s->end) {
		uint32_t bit = 1u << next_name(s, space_from, _("a space"));

		if (s->info.spaces >= bit)
			expected(s, _("spaces in order: global shared "
				      "register"));
		s->info.spaces |= bit;
	}
}

/* Leaves the line behind the text as the current one. */
static void head_text(struct parse *s)
{
	struct str out = { 0 };

	line_next(s);
	need(s, "text");
	line_end(s);
	line_next(s);
	while (take(s, "|")) {
		string_rest(s, &out, false);
		str_addc(&out, '\n');
		line_next(s);
	}
	if (take(s, "!")) {
		if (s->p == s->end)
			expected(s, _("a last line that is not empty"));
		string_rest(s, &out, false);
		line_next(s);
	}
	s->info.text = str_take(&out);
}

static void head(struct parse *s)
{
	struct trace_info *info = &s->info;
	struct trace_dim size;
	const char *wrong;

	line_next(s);
	need(s, "gemmviz trace 1");
	line_end(s);
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
		expected(s, wrong);
	line_next(s);
	need(s, "seed ");
	info->seed = number(s, UINT64_MAX, _("a number of 64 bits"));
	line_end(s);
	info->values = head_yes(s, "values");
	info->partial = head_yes(s, "partial");
	head_spaces(s);
	head_text(s);
}

/* ---- tables ---- */

static void table_define(struct parse *s)
{
	struct trace_define *d;

	if (s->info.define_count == TRACE_MAX_DEFINES)
		expected(s, _("fewer defines"));
	grow(&s->info.defines, &s->define_capacity, s->info.define_count + 1,
	     sizeof(*d));
	d = &s->info.defines[s->info.define_count++];
	d->name = next_string(s);
	d->value = next_string(s);
}

/* The entry's number, which must be the next. */
static void table_number(struct parse *s, size_t next, size_t highest)
{
	char what[40];

	need(s, " ");
	snprintf(what, sizeof(what), _("number %zu"), next);
	if (number(s, highest - 1, what) != next)
		expected(s, what);
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
	a->name = next_string(s);
	a->space = next_name(s, space_from, _("a space"));
	a->elem = next_name(s, elem_from, _("an element type"));
	a->elem_bytes = next_u32(s);
	need(s, " ");
	do {
		need(s, "[");
		a->dims[a->rank++] = number(s, UINT64_MAX, _("a dimension"));
		need(s, "]");
	} while (!s->bad && a->rank < TRACE_MAX_RANK && s->p < s->end &&
		 *s->p == '[');
	need(s, " at 0x");
	a->base = digits(s, 16, UINT64_MAX, _("an address"));
	wrong = s->bad ? NULL : trace_array_wrong(a);
	if (wrong)
		expected(s, wrong);
}

/* " tile 1 64 64 of 2 next 0 pitch 128 swizzle 128 blocks 0". */
static struct trace_tile site_tile(struct parse *s)
{
	struct trace_tile t;

	need(s, " tile");
	t.parts = next_u32(s);
	t.rows = next_u32(s);
	t.columns = next_u32(s);
	need(s, " of");
	t.bytes = next_u32(s);
	need(s, " next");
	t.next = next_u32(s);
	need(s, " pitch");
	t.pitch = next_u32(s);
	need(s, " swizzle");
	t.swizzle = next_u32(s);
	need(s, " blocks");
	t.blocks = next_u32(s);
	if (!s->bad && !t.rows)
		expected(s, _("a tile of some rows"));
	return t;
}

static void table_site(struct parse *s)
{
	struct trace_site site = { .array = TRACE_NO_ARRAY };
	const char *wrong;

	table_number(s, s->info.site_count, TRACE_MAX_SITES);
	site.line = next_u32(s);
	need(s, ":");
	site.column = (uint32_t)number(s, UINT32_MAX,
				       _("a number of 32 bits"));
	trace_site_decode(&site,
			  (uint32_t)next_name(s, trace_site_code_from,
					      _("an operation")));
	if (op_has_array(site.op)) {
		site.bytes = next_u32(s);
		need(s, " array");
		site.array = next_u32(s);
	}
	if (!s->bad && s->p < s->end && *s->p == ' ')
		site.tile = site_tile(s);
	wrong = s->bad ? NULL : trace_site_wrong(&site, s->info.array_count);
	if (wrong)
		expected(s, wrong);
	grow(&s->info.sites, &s->site_capacity, s->info.site_count + 1,
	     sizeof(site));
	s->info.sites[s->info.site_count++] = site;
}

static void finding_access(struct parse *s, struct finding_access *a)
{
	a->op = next_name(s, op_from, _("an operation"));
	a->bytes = next_u32(s);
	a->line = next_u32(s);
	need(s, ":");
	a->column = (uint32_t)number(s, UINT32_MAX, _("a number of 32 bits"));
	need(s, " by");
	a->block = next_u32(s);
	a->thread = next_u32(s);
}

static uint64_t next_u64(struct parse *s)
{
	need(s, " ");
	return number(s, UINT64_MAX, _("a number of 64 bits"));
}

static int64_t next_offset(struct parse *s)
{
	int64_t sign;

	need(s, " ");
	sign = take(s, "-") ? -1 : 1;
	return sign * (int64_t)number(s, FINDING_MAX_OFFSET, _("an offset"));
}

static double next_double(struct parse *s)
{
	uint64_t bits;
	double v;

	need(s, " 0x");
	bits = digits(s, 16, UINT64_MAX, _("a number of 64 bits"));
	memcpy(&v, &bits, sizeof(v));
	return v;
}

/* What stands behind a cause. */
static void finding_data(struct parse *s, struct trace_finding *f)
{
	f->kind = finding_cause(f->cause)->kind;
	finding_access(s, &f->access);
	need(s, " other");
	finding_access(s, &f->other);
	need(s, " array");
	if (!take(s, " none"))
		f->array = next_u32(s);
	need(s, " at");
	f->offset = next_offset(s);
	need(s, " words");
	f->word = next_string(s);
	f->other_word = next_string(s);
	need(s, " numbers");
	for (size_t i = 0; i < finding_numbers(f->cause); i++)
		f->number[i] = next_u64(s);
	need(s, " expected");
	f->expected = next_double(s);
	need(s, " got");
	f->got = next_double(s);
	need(s, " count");
	f->count = next_u64(s);
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
		expected(s, _("fewer findings"));
	grow(&s->info.findings, &s->finding_capacity,
	     s->info.finding_count + 1, sizeof(*f));
	f = &s->info.findings[s->info.finding_count++];
	*f = (struct trace_finding){ .array = TRACE_NO_ARRAY, .count = 1 };
	code = next_name(s, code_from, _("a kind of finding"));
	if (code > GVT_CAUSE) {
		f->cause = code - GVT_CAUSE;
		finding_data(s, f);
	} else {
		f->kind = code;
		f->access.line = next_u32(s);
		f->text = next_string(s);
	}
	wrong = s->bad ? NULL : trace_finding_wrong(&s->info, f);
	if (wrong)
		expected(s, wrong);
}

static void tables(struct parse *s)
{
	static const struct {
		const char *word;
		void (*entry)(struct parse *s);
	} lists[] = {
		{ "define", table_define }, { "array", table_array },
		{ "site", table_site }, { "finding", table_finding },
	};

	for (size_t i = 0; i < LENGTH(lists); i++)
		while (at_keyword(s, lists[i].word)) {
			s->p += strlen(lists[i].word);
			lists[i].entry(s);
			line_end(s);
			line_next(s);
		}
	if (s->bad)
		return;
	s->plans = xcalloc(s->info.site_count, sizeof(*s->plans));
	for (size_t i = 0; i < s->info.site_count; i++)
		s->plans[i] = trace_site_plan(&s->info, i);
}

/* ---- requests ---- */

static void request_warp(struct parse *s)
{
	uint32_t block, warp;

	need(s, "warp");
	block = next_u32(s);
	warp = next_u32(s);
	line_end(s);
	if (s->bad)
		return;
	if (s->any_warp &&
	    (block < s->block || (block == s->block && warp <= s->warp)))
		expected(s, _("warps in ascending order"));
	s->lanes = trace_warp_lanes(&s->info, warp);
	if (block >= trace_blocks(&s->info) || !s->lanes)
		expected(s, _("a warp of the launch"));
	s->any_warp = true;
	s->block = block;
	s->warp = warp;
	if (!s->bad && trace_writer_warp(s->writer, block, warp, s->e) < 0)
		s->bad = true;
	line_next(s);
}

/* COUNT behind a '*', at most what is left of the lanes. */
static uint32_t run_count(struct parse *s, uint32_t lanes)
{
	uint32_t left = (uint32_t)__builtin_popcount(lanes);
	uint32_t n = (uint32_t)number(s, left, _("a run of active lanes"));

	if (n == 0)
		expected(s, _("a run of active lanes"));
	return n;
}

static void request_offsets(struct parse *s, const struct site_plan *plan,
			    struct trace_request *r)
{
	uint32_t left = r->mask;

	while (left && !s->bad) {
		uint64_t at, step = 0;
		uint32_t run = 1;
		bool down;

		need(s, " ");
		at = number(s, UINT64_MAX, _("an offset"));
		down = take(s, "-");
		if (down || take(s, "+")) {
			step = number(s, UINT64_MAX, _("a step"));
			need(s, "*");
			run = run_count(s, left);
		} else if (take(s, "*")) {
			run = run_count(s, left);
		}
		for (; run && left; run--, left &= left - 1) {
			if (plan->too_wide || at > plan->limit) {
				expected(s, _("offsets inside the array"));
				return;
			}
			r->offset[__builtin_ctz(left)] = at;
			/* Wrapped around, it is outside. */
			if (down ? at < step : step > UINT64_MAX - at)
				at = UINT64_MAX;
			else
				at = down ? at - step : at + step;
		}
	}
}

static uint32_t word_float(struct parse *s)
{
	size_t n = 0;
	char buf[48], *end;
	uint32_t word;
	float f;

	while (s->p + n < s->end && n < sizeof(buf) - 1 &&
	       s->p[n] && strchr("+-.e0123456789", s->p[n]))
		n++;
	memcpy(buf, s->p, n);
	buf[n] = '\0';
	f = strtof(buf, &end);
	if (n == 0 || *end || !(f - f == 0))
		return (uint32_t)expected(s, _("a finite number or 0x"));
	s->p += n;
	memcpy(&word, &f, sizeof(word));
	return word;
}

static uint32_t word_int(struct parse *s)
{
	bool negative = take(s, "-");
	uint32_t v = (uint32_t)number(s, negative ? 1u << 31 : INT32_MAX,
				      _("an integer of 32 bits or 0x"));

	return negative ? 0 - v : v;
}

static uint32_t word(struct parse *s, const struct site_plan *plan,
		     enum elem elem)
{
	if (take(s, "0x"))
		return (uint32_t)digits(s, 16, plan->bits,
					_("hexadecimal digits of a word"));
	if (plan->bits == UINT32_MAX && elem == ELEM_F32)
		return word_float(s);
	if (plan->bits == UINT32_MAX && elem == ELEM_I32)
		return word_int(s);
	return (uint32_t)expected(s, "0x");
}

static void request_values(struct parse *s, const struct site_plan *plan,
			   struct trace_request *r)
{
	enum elem elem = s->info.arrays[s->info.sites[r->site].array].elem;
	uint32_t left = r->mask;

	need(s, " =");
	while (left && !s->bad) {
		uint32_t value[4] = { 0 }, run = 1;

		for (uint32_t i = 0; i < plan->words; i++) {
			need(s, i ? "," : " ");
			value[i] = word(s, plan, elem);
		}
		if (take(s, "*"))
			run = run_count(s, left);
		for (; run && left; run--, left &= left - 1)
			memcpy(r->value + __builtin_ctz(left) * 4, value,
			       sizeof(value));
	}
}

static uint32_t request_mask(struct parse *s)
{
	const char *start = s->p;
	uint32_t mask = (uint32_t)digits(s, 16, UINT32_MAX,
					 _("a mask of 8 digits"));

	if (!s->bad && (s->p - start != 8 || !mask || mask & ~s->lanes)) {
		s->p = start;
		expected(s, _("a mask of 8 digits, of lanes of the warp"));
	}
	return mask;
}

static void request(struct parse *s)
{
	struct trace_request r = { 0 };
	const struct site_plan *plan;

	r.site = (uint32_t)number(s, UINT32_MAX,
				  _("a request, 'warp' or 'end'"));
	if (!s->bad && r.site >= s->info.site_count)
		expected(s, _("a site of the table"));
	need(s, " ");
	r.mask = request_mask(s);
	if (s->bad)
		return;
	plan = &s->plans[r.site];
	if (op_has_array(plan->op)) {
		request_offsets(s, plan, &r);
		if (s->info.values && plan->words)
			request_values(s, plan, &r);
	}
	line_end(s);
	if (!s->bad && trace_writer_add(s->writer, &s->info, &r, s->e) < 0)
		s->bad = true;
	line_next(s);
}

static void requests(struct parse *s)
{
	while (!s->bad && !at_keyword(s, "end")) {
		if (at_keyword(s, "warp"))
			request_warp(s);
		else if (s->any_warp)
			request(s);
		else
			expected(s, _("'warp' or 'end'"));
	}
	need(s, "end");
	line_end(s);
	if (!s->bad && s->end + 1 != s->stop) {
		s->p = s->line_start = s->end + 1;
		s->line++;
		expected(s, _("nothing behind 'end'"));
	}
}

int trace_parse(const char *text, size_t len, int fd, struct error *e)
{
	struct parse s = { .p = text, .stop = text + len, .e = e };
	int rc = -1;

	head(&s);
	tables(&s);
	s.writer = trace_writer_new(fd, s.info.values);
	requests(&s);
	if (s.bad)
		trace_writer_free(s.writer);
	else
		rc = trace_writer_finish(s.writer, &s.info, e);
	free(s.plans);
	trace_info_done(&s.info);
	return rc;
}
