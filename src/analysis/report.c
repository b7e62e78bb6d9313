#include "analysis/report_count.h"
#include "trace/finding.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/pattern.h"
#include "analysis/report_list.h"
#include "kernels/kernels.h"
#include "base/lang.h"
#include "base/text.h"
#include "trace/finding.h"

/* ---- counting ---- */

static void keep_worst(struct site_tally *t, const struct trace_request *r,
		       int excess)
{
	if (excess <= t->excess)
		return;
	if (!t->worst)
		t->worst = xmalloc(sizeof(*t->worst));
	*t->worst = *r;
	t->excess = excess;
}

/* Returns the sectors that these lanes would take if their accesses were
 * adjacent: a broadcast, which takes fewer, is not uncoalesced, though it uses
 * little of its sectors. */
static int count_adjacent_sectors(const struct site_tally *t,
				  const struct trace_request *r)
{
	int bytes = __builtin_popcount(r->mask) * (int)t->row->bytes;

	return (bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
}

static void count_cost(struct site_tally *t, const struct trace_request *r,
		       const struct access_cost *cost, int64_t times, bool judged)
{
	struct report_site *row = t->row;

	if (t->array->space == SPACE_GLOBAL) {
		row->sectors += cost->sectors * times;
		row->ideal_sectors += cost->ideal_sectors * times;
		if (judged)
			keep_worst(t, r, cost->sectors -
					 count_adjacent_sectors(t, r));
	} else {
		row->wavefronts += cost->wavefronts * times;
		row->ideal_wavefronts += cost->ideal_wavefronts * times;
		row->max_way = MAX(row->max_way, cost->max_way);
		if (judged)
			keep_worst(t, r, cost->wavefronts -
					 cost->ideal_wavefronts);
	}
}

static void count_idle(struct site_tally *t, uint32_t idle, int64_t times)
{
	if (!idle)
		return;
	t->divergent += times;
	if (__builtin_popcount(idle) > __builtin_popcount(t->idle))
		t->idle = idle;
}

/* More elements than this of an array are not told apart. */
#define STORED_MAX (UINT64_C(1) << 30)

static uint64_t element_total(const struct trace_array *a)
{
	uint64_t n = 1;

	for (uint32_t d = 0; d < a->rank; d++)
		if (__builtin_mul_overflow(n, a->dims[d], &n))
			return UINT64_MAX;
	return n;
}

static void mark_stored_bits(struct report_counter *c,
			     const struct site_tally *t,
			     const struct trace_request *r)
{
	uint8_t **bits = &c->stored[t->array - c->info->arrays];
	uint64_t total = element_total(t->array);

	if (total > STORED_MAX) {
		c->countable = false;
		return;
	}
	if (!*bits)
		*bits = xcalloc(total / 8 + 1, 1);
	for (int lane = 0; lane < WARP_LANES; lane++) {
		uint64_t e = r->offset[lane] / t->array->elem_bytes;
		uint64_t end = r->offset[lane] + t->row->bytes;

		if (!(r->mask >> lane & 1))
			continue;
		for (; e < total && e * t->array->elem_bytes < end; e++)
			(*bits)[e / 8] |= (uint8_t)(1 << e % 8);
	}
}

static void count_range(struct report_counter *c, const struct site_tally *t,
			const struct trace_request *r)
{
	size_t array = t->array - c->info->arrays;
	struct report_range *range = &c->ranges[array];
	uint32_t bytes = t->array->elem_bytes;
	struct trace_shift by = { 0, 0 };

	if (c->kind->shifts)
		by = c->kind->shifts[array];
	for (uint32_t m = r->mask; m; m &= m - 1) {
		uint64_t at = r->offset[__builtin_ctz(m)] + (uint64_t)by.least;
		uint64_t last = r->offset[__builtin_ctz(m)] +
				(uint64_t)by.most + MAX(t->row->bytes, 1u) - 1;
		uint64_t end = last / bytes + 1;

		if (!range->end || at / bytes < range->first)
			range->first = at / bytes;
		range->end = MAX(range->end, end);
	}
}

static void count_request(struct report_counter *c,
			  const struct trace_request *r, uint32_t lanes)
{
	struct site_tally *t = &c->tallies[r->site];
	int64_t times = (int64_t)c->kind->times;
	const struct access_cost *cost;
	int passes;

	if (!t->row)
		return;
	t->row->requests += times;
	/* Which elements a box has, is not said. */
	if (t->row->op == OP_TMA_ST)
		c->countable = false;
	if (op_is_bulk(t->row->op))
		c->ranges[t->array - c->info->arrays].known = false;
	if (!op_is_access(t->row->op))
		return;
	if (t->array->space == SPACE_GLOBAL)
		count_range(c, t, r);
	/* ldmatrix of fewer than four matrices asks fewer lanes for rows. */
	if (!c->info->sites[r->site].matrix && !c->stopped)
		count_idle(t, lanes & ~r->mask, times);
	if (t->array->space == SPACE_REGISTER)
		return;
	if (t->array->space == SPACE_CONSTANT) {
		passes = access_constant_passes(t->array, r);
		t->row->passes += passes * times;
		keep_worst(t, r, passes - 1);
		return;
	}
	cost = cost_memo_get(c->memo, r);
	if (cost)
		count_cost(t, r, cost, times,
			   !c->stopped || r->mask == lanes);
	else
		t->misaligned += times;
	if (c->info->partial && t->array->space == SPACE_GLOBAL &&
	    t->row->op == OP_ST)
		mark_stored_bits(c, t, r);
}

/* Returns the lanes of a warp that have threads in the launch. */
static uint32_t get_warp_lanes(const struct trace_info *info, uint32_t warp)
{
	uint64_t threads = (uint64_t)info->block.x * info->block.y *
			   info->block.z;
	uint64_t before = (uint64_t)warp * WARP_LANES;

	if (threads >= before + WARP_LANES || threads <= before)
		return UINT32_MAX;
	return (UINT32_C(1) << (threads - before)) - 1;
}

static int count_warp(struct report_counter *c, size_t index, struct error *e)
{
	const struct trace_warp *w = trace_warp(c->trace, index);
	uint32_t lanes = get_warp_lanes(c->info, w->warp);
	struct trace_request r;

	for (uint32_t i = 0; i < w->requests; i++) {
		if (trace_get(c->trace, index, i, &r, e) < 0)
			return -1;
		count_request(c, &r, lanes);
		if (c->tallies[r.site].row)
			c->tallies[r.site].row->warps |= 1u << w->warp % 32;
	}
	return 0;
}

/* ---- rows ---- */

static void cut_name(char *buf, size_t size, const char *name)
{
	char *clean = text_clean(name, strlen(name), 0);
	size_t n = strlen(clean);

	if (n >= size)
		for (n = size - 1; n && ((unsigned char)clean[n] & 0xc0) ==
					0x80; )
			n--;
	memcpy(buf, clean, n);
	buf[n] = '\0';
	free(clean);
}

static void row_init(struct report_site *row, const struct trace_site *site,
		     const struct trace_array *array)
{
	bool access = op_is_access(site->op);
	bool global = access && array->space == SPACE_GLOBAL;
	bool shared = access && array->space == SPACE_SHARED;

	*row = (struct report_site){
		.line = site->line, .column = site->column,
		.space = array->space, .op = site->op,
		.word = trace_site_word(site), .bytes = site->bytes,
		.sectors = global ? 0 : NA, .ideal_sectors = global ? 0 : NA,
		.wavefronts = shared ? 0 : NA,
		.ideal_wavefronts = shared ? 0 : NA,
		.max_way = shared ? 0 : NA,
		.passes = access && array->space == SPACE_CONSTANT ? 0 : NA,
	};
	cut_name(row->array, sizeof(row->array), array->name);
}

struct site_place { const struct trace_info *info; uint32_t site; };

static int place_order(const void *a, const void *b)
{
	const struct site_place *p = a, *q = b;
	const struct trace_site *s = &p->info->sites[p->site];
	const struct trace_site *t = &q->info->sites[q->site];
	int names;

	if (s->line != t->line)
		return s->line < t->line ? -1 : 1;
	if (s->column != t->column)
		return s->column < t->column ? -1 : 1;
	if (s->op != t->op)
		return s->op < t->op ? -1 : 1;
	names = strcmp(p->info->arrays[s->array].name,
		       p->info->arrays[t->array].name);
	if (names)
		return names;
	if (s->array != t->array)
		return s->array < t->array ? -1 : 1;
	return (s->bytes > t->bytes) - (s->bytes < t->bytes);
}

/* Returns whether two sites are the same, whichever block of the cluster they
 * access. */
static bool is_same_row(const struct trace_site *a, const struct trace_site *b)
{
	struct trace_site s = *a;

	if (op_is_access(s.op))
		s.tile.blocks = b->tile.blocks;
	return trace_site_same(&s, b);
}

/* Makes a row for each place in the source: the machine code may have several
 * instructions for it. */
static void make_rows(struct report_counter *c, struct report *r)
{
	const struct trace_info *info = c->info;
	struct site_place *places = xcalloc(info->site_count, sizeof(*places));
	const struct trace_site *last = NULL;
	size_t count = 0;

	for (size_t i = 0; i < info->site_count; i++)
		if (op_has_array(info->sites[i].op) &&
		    info->sites[i].array < info->array_count)
			places[count++] =
				(struct site_place){ info, (uint32_t)i };
	qsort(places, count, sizeof(*places), place_order);
	r->sites = xcalloc(count, sizeof(*r->sites));
	for (size_t i = 0; i < count; i++) {
		const struct trace_site *s = &info->sites[places[i].site];
		struct site_tally *t = &c->tallies[places[i].site];

		t->array = &info->arrays[s->array];
		if (!last || !is_same_row(last, s))
			row_init(&r->sites[r->site_count++], s, t->array);
		t->row = &r->sites[r->site_count - 1];
		last = s;
	}
	free(places);
}

static void merge_tally(struct site_tally *first, const struct site_tally *t)
{
	first->misaligned += t->misaligned;
	first->divergent += t->divergent;
	if (__builtin_popcount(t->idle) > __builtin_popcount(first->idle))
		first->idle = t->idle;
	if (t->worst)
		keep_worst(first, t->worst, t->excess);
}

/* Adds up what the sites of a row found, and gives a tally for each row. */
static struct site_tally **join_tallies(struct report_counter *c,
					const struct report *r)
{
	struct site_tally **rows = xcalloc(r->site_count, sizeof(*rows));

	for (size_t i = 0; i < c->info->site_count; i++) {
		struct site_tally *t = &c->tallies[i];
		struct site_tally **first;

		if (!t->row)
			continue;
		first = &rows[t->row - r->sites];
		if (*first)
			merge_tally(*first, t);
		else
			*first = t;
	}
	return rows;
}

/* ---- totals ---- */

static int64_t stored_elements(const struct report_counter *c)
{
	int64_t count = 0;

	for (size_t a = 0; a < c->info->array_count; a++) {
		uint64_t n = c->stored[a] ?
			     element_total(&c->info->arrays[a]) / 8 + 1 : 0;

		for (uint64_t i = 0; i < n; i++)
			count += __builtin_popcount(c->stored[a][i]);
	}
	return count;
}

static bool is_space_recorded(const struct trace_info *info, enum space s)
{
	return info->spaces >> s & 1;
}

static int64_t flops(const struct report_counter *c, const struct problem *p)
{
	const struct trace_info *i = c->info;
	double all;

	if (!p->flops || !i->m || !i->n || !i->k)
		return NA;
	all = p->flops(i->m, i->n, i->k);
	if (i->partial) {
		if (!c->countable || !is_space_recorded(i, SPACE_GLOBAL))
			return NA;
		all *= (double)stored_elements(c) /
		       problem_elements(p, i->m, i->n, i->k);
	}
	return all < 0x1p63 ? (int64_t)all : NA;
}

static void add_to_totals(struct report *r, const struct report_site *s)
{
	if (op_is_bulk(s->op) && s->space == SPACE_GLOBAL)
		r->bytes_global += s->requests * s->bytes;
	if (!op_is_access(s->op))
		return;
	if (s->space == SPACE_CONSTANT) {
		r->constant_load_requests += s->requests;
		r->constant_load_passes += s->passes;
	} else if (s->space == SPACE_GLOBAL && s->op == OP_LD) {
		r->global_load_requests += s->requests;
		r->global_load_sectors += s->sectors;
	} else if (s->space == SPACE_GLOBAL) {
		r->global_store_requests += s->requests;
		r->global_store_sectors += s->sectors;
	} else if (s->space == SPACE_SHARED && s->op == OP_LD) {
		r->shared_load_wavefronts += s->wavefronts;
	} else if (s->space == SPACE_SHARED) {
		r->shared_store_wavefronts += s->wavefronts;
	}
}

static void make_totals(const struct report_counter *c, struct report *r)
{
	for (size_t i = 0; i < r->site_count; i++)
		add_to_totals(r, &r->sites[i]);
	r->bytes_global += SECTOR_BYTES * (r->global_load_sectors +
					   r->global_store_sectors);
	r->flops = flops(c, r->problem);
	r->intensity = r->flops >= 0 && r->bytes_global > 0 ?
		       (double)r->flops / (double)r->bytes_global : NA;
	if (!is_space_recorded(c->info, SPACE_GLOBAL)) {
		r->global_load_requests = r->global_load_sectors = NA;
		r->global_store_requests = r->global_store_sectors = NA;
		r->bytes_global = NA;
		r->intensity = NA;
	}
	if (!is_space_recorded(c->info, SPACE_CONSTANT))
		r->constant_load_requests = r->constant_load_passes = NA;
	if (!is_space_recorded(c->info, SPACE_SHARED))
		r->shared_load_wavefronts = r->shared_store_wavefronts = NA;
}

/* ---- the whole ---- */

static int count_blocks(struct report_counter *c, struct error *e)
{
	size_t kinds;
	const struct trace_kind *k = trace_kinds(c->trace, &kinds);

	for (size_t i = 0; i < kinds; i++) {
		c->kind = &k[i];
		for (size_t w = 0; w < k[i].warps; w++)
			if (count_warp(c, k[i].warp + w, e) < 0)
				return -1;
	}
	return 0;
}

static void counter_done(struct report_counter *c)
{
	for (size_t i = 0; i < c->info->site_count; i++)
		free(c->tallies[i].worst);
	for (size_t i = 0; i < c->info->array_count; i++)
		free(c->stored[i]);
	free(c->tallies);
	free(c->stored);
	cost_memo_free(c->memo);
}

/* Counts the recorded blocks; warps are ordered by block. */
static struct report_blocks find_recorded_blocks(const struct trace *t)
{
	struct trace_dim g = trace_info(t)->grid;
	struct report_blocks b = { .of = (uint64_t)g.x * g.y * g.z };

	for (size_t i = 0; i < trace_warp_count(t); i++) {
		uint32_t block = trace_warp(t, i)->block;

		if (i && block == trace_warp(t, i - 1)->block)
			continue;
		if (b.count < LENGTH(b.first))
			b.first[b.count] = block;
		b.count++;
	}
	return b;
}

/* Describes how the output was compared, or why it was not; sets *right to
 * whether it was, and is right. The caller frees the words. */
static char *describe_answer(const struct report *r, bool *right)
{
	const struct trace_info *i = r->info;
	const char *says = problem_says(r->problem, i->check ? i->check : "",
					right);

	if (!*right)
		return xasprintf(_("not checked: %s"), _(says));
	for (size_t n = 0; n < i->finding_count; n++)
		if (i->findings[n].kind == FINDING_RESULT)
			*right = false;
	return xstrdup(*right ? _(says) : _("compared, and wrong"));
}

/* Makes the verdict wrong for a misaligned access that only the cost model found. */
static void judge_misaligned(struct report *r)
{
	for (size_t i = 0; i < r->finding_count; i++) {
		if (r->verdict.kind == VERDICT_WRONG ||
		    strcmp(r->findings[i].kind, "misaligned") != 0)
			continue;
		verdict_done(&r->verdict);
		r->verdict = verdict_say(VERDICT_WRONG, r->findings[i].text);
	}
}

int report_build_tried(struct trace *t, const struct sizes_tried *s,
		       struct report *r, struct error *e)
{
	const struct trace_info *info = trace_info(t);
	struct report_counter c = {
		.trace = t, .info = info, .countable = true,
		.stopped = findings_stop_lanes(info),
		.tallies = xcalloc(info->site_count, sizeof(*c.tallies)),
		.stored = xcalloc(info->array_count, sizeof(*c.stored)),
		.memo = cost_memo_new(info),
	};
	int status;

	*r = (struct report){ .info = info, .problem = kernel_problem(info),
		.tried = *s,
		.blocks = find_recorded_blocks(t),
		.ranges = xcalloc(info->array_count, sizeof(*r->ranges)) };
	c.ranges = r->ranges;
	for (size_t i = 0; i < info->array_count; i++)
		r->ranges[i].known = info->spaces >> info->arrays[i].space & 1;
	r->verdict = verdict_of_sizes(info, t, s);
	r->answer = describe_answer(r, &r->checked);
	make_rows(&c, r);
	status = count_blocks(&c, e);
	if (status == 0) {
		struct site_tally **rows = join_tallies(&c, r);

		make_totals(&c, r);
		report_findings_make(&c, r, rows);
		report_findings_sort(r);
		judge_misaligned(r);
		free(rows);
	} else {
		report_done(r);
	}
	counter_done(&c);
	return status;
}

int report_build(struct trace *t, struct report *r, struct error *e)
{
	static const struct sizes_tried alone;

	return report_build_tried(t, &alone, r, e);
}

void report_done(struct report *r)
{
	for (size_t i = 0; i < r->finding_count; i++)
		free(r->findings[i].text);
	free(r->findings);
	free(r->answer);
	verdict_done(&r->verdict);
	free(r->ranges);
	free(r->sites);
	*r = (struct report){ 0 };
}
