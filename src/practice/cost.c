/* cost: see cost.h. */
#include "practice/cost.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/report.h"
#include "base/lang.h"

/* Elements of a 16 x 16 tile. */
#define TILE_ELEMENTS 256

const char *cost_word(enum cost_kind k)
{
#define COST_WORD(kind, word) word,
	static const char *const words[] = { COST_KINDS(COST_WORD) };

	return words[k];
}

const char *cost_phrase(enum cost_kind k)
{
	static const char *const phrases[COST_COUNT] = {
		[COST_LOAD_SECTORS] = N_("sectors of loads"),
		[COST_STORE_SECTORS] = N_("sectors of stores"),
		[COST_LOAD_REQUESTS] = N_("requests of loads"),
		[COST_STORE_REQUESTS] = N_("requests of stores"),
		[COST_SHARED_READS] = N_("wavefronts of shared reads"),
		[COST_SHARED_WRITES] = N_("wavefronts of shared writes"),
		[COST_SHARED_BYTES] = N_("bytes of shared memory a block"),
		[COST_BARRIERS] = N_("barriers that a warp passes"),
		[COST_LOADING] = N_("stretches that load and do not compute"),
		[COST_COMPUTING] =
			N_("stretches that compute and do not load"),
		[COST_STORING] = N_("stretches that only fill shared memory"),
		[COST_MMA] = N_("16 x 16 x 16 products of fragments"),
		[COST_THREADS] = N_("threads"),
		[COST_STORERS] = N_("threads that store"),
	};

	return _(phrases[k]);
}

int cost_from(const char *word)
{
	for (int i = 0; i < COST_COUNT; i++)
		if (!strcmp(cost_word((enum cost_kind)i), word))
			return i;
	return -1;
}

/* ---- the report's counts ---- */

static int add_report_counts(struct trace *t, int64_t costs[COST_COUNT],
			     struct error *e)
{
	struct report r;

	if (report_build(t, &r, e) < 0)
		return -1;
	costs[COST_LOAD_SECTORS] += MAX(r.global_load_sectors, 0);
	costs[COST_STORE_SECTORS] += MAX(r.global_store_sectors, 0);
	costs[COST_LOAD_REQUESTS] += MAX(r.global_load_requests, 0);
	costs[COST_STORE_REQUESTS] += MAX(r.global_store_requests, 0);
	costs[COST_SHARED_READS] += MAX(r.shared_load_wavefronts, 0);
	costs[COST_SHARED_WRITES] += MAX(r.shared_store_wavefronts, 0);
	report_done(&r);
	return 0;
}

/* Returns what a site adds to a cost. */
static int64_t count_site_cost(const struct report_site *s, enum cost_kind k)
{
	bool stores = s->op != OP_LD;

	if (!op_is_access(s->op))
		return 0;
	if (s->space == SPACE_GLOBAL) {
		if (k == (stores ? COST_STORE_SECTORS : COST_LOAD_SECTORS))
			return MAX(s->sectors, 0);
		if (k == (stores ? COST_STORE_REQUESTS : COST_LOAD_REQUESTS))
			return MAX(s->requests, 0);
	}
	if (s->space == SPACE_SHARED &&
	    k == (stores ? COST_SHARED_WRITES : COST_SHARED_READS))
		return MAX(s->wavefronts, 0);
	return 0;
}

uint32_t cost_dearest_line(struct trace *t, enum cost_kind k)
{
	int64_t most = 0, sum = 0;
	uint32_t line = 0;
	struct report r;
	struct error e;

	if (report_build(t, &r, &e) < 0)
		return 0;
	for (size_t i = 0; i < r.site_count; i++) {
		const struct report_site *s = &r.sites[i];

		/* The sites are sorted by line. */
		if (i && s->line != r.sites[i - 1].line)
			sum = 0;
		sum += count_site_cost(s, k);
		if (s->line && sum > most) {
			most = sum;
			line = s->line;
		}
	}
	report_done(&r);
	return line;
}

static int64_t count_block_bytes(const struct trace_info *info)
{
	int64_t end = 0;

	for (size_t i = 0; i < info->array_count; i++) {
		const struct trace_array *a = &info->arrays[i];

		if (a->space == SPACE_SHARED)
			end = MAX(end, (int64_t)(a->base +
						 trace_array_bytes(a)));
	}
	return end;
}

static int64_t count_barriers(const struct trace *t)
{
	uint32_t most = 1;

	for (size_t i = 0; i < trace_warp_count(t); i++)
		most = MAX(most, trace_warp(t, i)->phases);
	return most - 1;
}

/* ---- stretches between barriers ---- */

enum { DOES_LOAD = 1, DOES_READ = 2, DOES_FILL = 4, DOES_STORE = 8 };

/* Returns what a request of the site does. */
static unsigned site_does(const struct trace_info *info,
			  const struct trace_site *s)
{
	enum space space = s->array == TRACE_NO_ARRAY ? SPACE_COUNT :
			   info->arrays[s->array].space;

	if (space == SPACE_GLOBAL)
		return s->op == OP_LD || s->op == OP_TMA_LD ? DOES_LOAD :
							      DOES_STORE;
	if (space == SPACE_SHARED)
		return s->op == OP_LD || s->op == OP_WGMMA ? DOES_READ :
							     DOES_FILL;
	return 0;
}

/* What a block does in each of its stretches. */
struct stretches {
	unsigned *does;
	size_t count, capacity;
};

static void note_stretch(struct stretches *s, uint32_t phase, unsigned does)
{
	while (s->count <= phase) {
		grow(&s->does, &s->capacity, s->count + 1, sizeof(*s->does));
		s->does[s->count++] = 0;
	}
	s->does[phase] |= does;
}

/* Makes the costs at least those of this block. */
static void count_stretches(const struct stretches *s,
			    int64_t costs[COST_COUNT])
{
	int64_t loading = 0, computing = 0, storing = 0;

	for (size_t i = 0; i < s->count; i++) {
		unsigned does = s->does[i];

		loading += (does & DOES_LOAD) && !(does & DOES_READ);
		computing += (does & DOES_READ) && !(does & DOES_LOAD);
		storing += does == DOES_FILL;
	}
	costs[COST_LOADING] = MAX(costs[COST_LOADING], loading);
	costs[COST_COMPUTING] = MAX(costs[COST_COMPUTING], computing);
	costs[COST_STORING] = MAX(costs[COST_STORING], storing);
}

static int scan_warp_stretches(struct trace *t, size_t warp, struct stretches *s,
		     struct error *e)
{
	const struct trace_info *info = trace_info(t);
	uint32_t phase = 0, site;

	for (uint32_t i = 0; i < trace_warp(t, warp)->requests; i++) {
		if (trace_get_site(t, warp, i, &site, e) < 0)
			return -1;
		note_stretch(s, phase, site_does(info, &info->sites[site]));
		phase += info->sites[site].op == OP_BARRIER;
	}
	return 0;
}

static int add_stretches(struct trace *t, int64_t costs[COST_COUNT],
			 struct error *e)
{
	struct stretches s = { NULL, 0, 0 };
	int rc = 0;

	for (size_t i = 0; i < trace_warp_count(t) && rc == 0; i++) {
		bool last = i + 1 == trace_warp_count(t) ||
			    trace_warp(t, i + 1)->block !=
				    trace_warp(t, i)->block;

		rc = scan_warp_stretches(t, i, &s, e);
		if (last) {
			count_stretches(&s, costs);
			s.count = 0;
		}
	}
	free(s.does);
	return rc;
}

/* ---- threads that store ---- */

/* Finds the lanes of a warp that store to global memory; -1 with e. */
static int find_storing_lanes(struct trace *t, size_t warp, uint32_t *lanes,
			      struct error *e)
{
	const struct trace_info *info = trace_info(t);
	uint32_t site;

	*lanes = 0;
	for (uint32_t i = 0; i < trace_warp(t, warp)->requests; i++) {
		struct trace_request r;

		if (trace_get_site(t, warp, i, &site, e) < 0)
			return -1;
		if (site_does(info, &info->sites[site]) != DOES_STORE)
			continue;
		if (trace_get_lanes(t, warp, i, &r, e) < 0)
			return -1;
		*lanes |= r.mask;
	}
	return 0;
}

static int add_storing_threads(struct trace *t, int64_t costs[COST_COUNT],
			       struct error *e)
{
	for (size_t i = 0; i < trace_warp_count(t); i++) {
		uint32_t lanes;

		if (find_storing_lanes(t, i, &lanes, e) < 0)
			return -1;
		costs[COST_STORERS] += __builtin_popcount(lanes);
	}
	return 0;
}

/* ---- products of fragments ---- */

static bool is_register_array(const struct trace_info *info, uint32_t array)
{
	return array != TRACE_NO_ARRAY &&
	       info->arrays[array].space == SPACE_REGISTER;
}

/* Returns whether a site stores the sums of a product of fragments: on its line
 * the same array and two others of registers are loaded. */
static bool stores_product(const struct trace_info *info, uint32_t site)
{
	const struct trace_site *s = &info->sites[site];
	size_t others = 0;
	bool itself = false;

	if (s->op != OP_ST || !is_register_array(info, s->array))
		return false;
	for (uint32_t i = 0; i < info->site_count; i++) {
		const struct trace_site *o = &info->sites[i];

		if (o->op != OP_LD || o->line != s->line ||
		    !is_register_array(info, o->array))
			continue;
		itself |= o->array == s->array && o->column == s->column;
		others += o->array != s->array;
	}
	return itself && others >= 2;
}

static int add_fragment_products(struct trace *t, int64_t costs[COST_COUNT],
			struct error *e)
{
	const struct trace_info *info = trace_info(t);
	int64_t elements = 0;

	for (uint32_t site = 0; site < info->site_count; site++) {
		const struct trace_site *s = &info->sites[site];
		struct trace_request r;

		if (!stores_product(info, site))
			continue;
		for (size_t w = 0; w < trace_warp_count(t); w++)
			for (uint32_t i = 0; i < trace_warp(t, w)->requests;
			     i++) {
				if (trace_get_lanes(t, w, i, &r, e) < 0)
					return -1;
				if (r.site == site)
					elements += __builtin_popcount(r.mask) *
						    (int64_t)(s->bytes /
						    info->arrays[s->array]
							    .elem_bytes);
			}
	}
	costs[COST_MMA] += elements / TILE_ELEMENTS;
	return 0;
}

int cost_of_launch(struct trace *t, int64_t costs[COST_COUNT],
		   struct error *e)
{
	const struct trace_info *info = trace_info(t);

	memset(costs, 0, COST_COUNT * sizeof(*costs));
	costs[COST_SHARED_BYTES] = MAX(costs[COST_SHARED_BYTES],
				       count_block_bytes(info));
	costs[COST_BARRIERS] += count_barriers(t);
	costs[COST_THREADS] += (int64_t)info->grid.x * info->grid.y *
			       info->grid.z * info->block.x * info->block.y *
			       info->block.z;
	if (add_report_counts(t, costs, e) < 0 ||
	    add_stretches(t, costs, e) < 0 ||
	    add_storing_threads(t, costs, e) < 0)
		return -1;
	return add_fragment_products(t, costs, e);
}

void cost_join(int64_t to[COST_COUNT], const int64_t of[COST_COUNT])
{
	for (int i = 0; i < COST_COUNT; i++) {
		bool most = i == COST_SHARED_BYTES || i == COST_LOADING ||
			    i == COST_COMPUTING || i == COST_STORING;

		to[i] = most ? MAX(to[i], of[i]) : to[i] + of[i];
	}
}
