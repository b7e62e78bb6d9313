/*
 * trace_parse: parses the text of trace_text.c into a trace. It is strict: text
 * that trace_dump() would not write, except for another choice of runs or forms
 * of numbers, is an error that names line and column.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "trace/trace_parse.h"

/* ---- requests ---- */

static void request_warp(struct parse *s)
{
	uint32_t block, warp;

	parse_need(s, "warp");
	block = parse_u32(s);
	warp = parse_u32(s);
	parse_line_end(s);
	if (s->bad)
		return;
	if (s->any_warp &&
	    (block < s->block || (block == s->block && warp <= s->warp)))
		parse_expected(s, _("warps in ascending order"));
	s->lanes = trace_warp_lanes(&s->info, warp);
	if (block >= trace_blocks(&s->info) || !s->lanes)
		parse_expected(s, _("a warp of the launch"));
	s->any_warp = true;
	s->block = block;
	s->warp = warp;
	if (!s->bad && trace_writer_warp(s->writer, block, warp, s->e) < 0)
		s->bad = true;
	parse_line_next(s);
}

/* COUNT behind a '*', at most what is left of the lanes. */
static uint32_t run_count(struct parse *s, uint32_t lanes)
{
	uint32_t left = (uint32_t)__builtin_popcount(lanes);
	uint32_t n = (uint32_t)parse_number(s, left,
					    _("a run of active lanes"));

	if (n == 0)
		parse_expected(s, _("a run of active lanes"));
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

		parse_need(s, " ");
		at = parse_number(s, UINT64_MAX, _("an offset"));
		down = parse_take(s, "-");
		if (down || parse_take(s, "+")) {
			step = parse_number(s, UINT64_MAX, _("a step"));
			parse_need(s, "*");
			run = run_count(s, left);
		} else if (parse_take(s, "*")) {
			run = run_count(s, left);
		}
		for (; run && left; run--, left &= left - 1) {
			if (plan->too_wide || at > plan->limit) {
				parse_expected(s,
					       _("offsets inside the array"));
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

static uint32_t parse_float_word(struct parse *s)
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
		return (uint32_t)parse_expected(s, _("a finite number or 0x"));
	s->p += n;
	memcpy(&word, &f, sizeof(word));
	return word;
}

static uint32_t word_int(struct parse *s)
{
	bool negative = parse_take(s, "-");
	uint32_t v = (uint32_t)parse_number(s, negative ? 1u << 31 : INT32_MAX,
					    _("an integer of 32 bits or 0x"));

	return negative ? 0 - v : v;
}

static uint32_t parse_value_word(struct parse *s, const struct site_plan *plan,
				 enum elem elem)
{
	if (parse_take(s, "0x"))
		return (uint32_t)parse_digits(s, 16, plan->bits, _("hexadecimal "
					      "digits of a word"));
	if (plan->bits == UINT32_MAX && elem == ELEM_F32)
		return parse_float_word(s);
	if (plan->bits == UINT32_MAX && elem == ELEM_I32)
		return word_int(s);
	return (uint32_t)parse_expected(s, "0x");
}

static void request_values(struct parse *s, const struct site_plan *plan,
			   struct trace_request *r)
{
	enum elem elem = s->info.arrays[s->info.sites[r->site].array].elem;
	uint32_t left = r->mask;

	parse_need(s, " =");
	while (left && !s->bad) {
		uint32_t value[4] = { 0 }, run = 1;

		for (uint32_t i = 0; i < plan->words; i++) {
			parse_need(s, i ? "," : " ");
			value[i] = parse_value_word(s, plan, elem);
		}
		if (parse_take(s, "*"))
			run = run_count(s, left);
		for (; run && left; run--, left &= left - 1)
			memcpy(r->value + __builtin_ctz(left) * 4, value,
			       sizeof(value));
	}
}

static uint32_t request_mask(struct parse *s)
{
	const char *start = s->p;
	uint32_t mask = (uint32_t)parse_digits(s, 16, UINT32_MAX,
					       _("a mask of 8 digits"));

	if (!s->bad && (s->p - start != 8 || !mask || mask & ~s->lanes)) {
		s->p = start;
		parse_expected(s,
			       _("a mask of 8 digits, of lanes of the warp"));
	}
	return mask;
}

static void parse_request(struct parse *s)
{
	struct trace_request r = { 0 };
	const struct site_plan *plan;

	r.site = (uint32_t)parse_number(s, UINT32_MAX,
					_("a request, 'warp' or 'end'"));
	if (!s->bad && r.site >= s->info.site_count)
		parse_expected(s, _("a site of the table"));
	parse_need(s, " ");
	r.mask = request_mask(s);
	if (s->bad)
		return;
	plan = &s->plans[r.site];
	if (op_has_array(plan->op)) {
		request_offsets(s, plan, &r);
		if (s->info.values && plan->words)
			request_values(s, plan, &r);
	}
	parse_line_end(s);
	if (!s->bad && trace_writer_add(s->writer, &s->info, &r, s->e) < 0)
		s->bad = true;
	parse_line_next(s);
}

static void parse_requests(struct parse *s)
{
	while (!s->bad && !parse_at_keyword(s, "end")) {
		if (parse_at_keyword(s, "warp"))
			request_warp(s);
		else if (s->any_warp)
			parse_request(s);
		else
			parse_expected(s, _("'warp' or 'end'"));
	}
	parse_need(s, "end");
	parse_line_end(s);
	if (!s->bad && s->end + 1 != s->stop) {
		s->p = s->line_start = s->end + 1;
		s->line++;
		parse_expected(s, _("nothing after 'end'"));
	}
}

int trace_parse(const char *text, size_t len, int fd, struct error *e)
{
	struct parse s = { .p = text, .stop = text + len, .e = e };
	int rc = -1;

	parse_head(&s);
	parse_tables(&s);
	s.writer = trace_writer_new(fd, s.info.values);
	parse_requests(&s);
	if (s.bad)
		trace_writer_free(s.writer);
	else
		rc = trace_writer_finish(s.writer, &s.info, e);
	free(s.plans);
	trace_info_done(&s.info);
	return rc;
}
