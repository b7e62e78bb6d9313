/* provenance: what an element of C was computed from. See provenance.h. */
#include "provenance/products.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/lang.h"
#include "analysis/finding_text.h"
#include "analysis/pattern.h"
#include "base/text.h"

/* ---- findings ---- */

static void add_finding_text(struct dataflow *w, char *text)
{
	struct provenance *p = w->p;

	grow(&p->findings, &w->finding_capacity, p->finding_count + 1,
	     sizeof(*p->findings));
	p->findings[p->finding_count++] = text;
}

/* Takes over the recorder's faults, which make all further results doubtful. */
static void copy_faults(struct dataflow *w)
{
	const struct trace_finding *f = w->info->findings;

	for (size_t i = 0; i < w->info->finding_count; i++)
		if (finding_is_fault(&f[i]))
			add_finding_text(w, finding_text(w->info, &f[i]));
}

/* ---- the matrices ---- */

/* Returns the index of a global array of that name, or -1. */
static int find_named(const struct trace_info *info, const char *name)
{
	for (size_t i = 0; i < info->array_count; i++)
		if (info->arrays[i].space == SPACE_GLOBAL &&
		    !strcasecmp(info->arrays[i].name, name))
			return (int)i;
	return -1;
}

static int find_matrix_array(const struct trace_info *info, int matrix)
{
	static const char *const names[] = { "A", "B", "C" };
	int found = find_named(info, names[matrix]), nth = 0;

	/* D = A B + C: the recorder calls D the product. */
	if (matrix == MATRIX_C && found >= 0 && find_named(info, "D") >= 0)
		found = find_named(info, "D");
	if (found >= 0)
		return found;
	for (size_t i = 0; i < info->array_count; i++)
		if (info->arrays[i].space == SPACE_GLOBAL && nth++ == matrix)
			return (int)i;
	return -1;
}

static bool is_product(const struct trace_array *a,
		       const struct trace_array *b,
		       const struct trace_array *c)
{
	return a->rank == 2 && b->rank == 2 && c->rank == 2 &&
	       a->dims[0] == c->dims[0] && b->dims[1] == c->dims[1] &&
	       a->dims[1] == b->dims[0] && a->dims[0] <= UINT32_MAX &&
	       a->dims[1] <= UINT32_MAX && b->dims[1] <= UINT32_MAX;
}

static int find_matrices(struct dataflow *w, struct error *e)
{
	const struct trace_array *all = w->info->arrays;
	bool found = true;

	for (int i = 0; i < MATRICES; i++) {
		w->matrix[i] = find_matrix_array(w->info, i);
		found = found && w->matrix[i] >= 0;
	}
	if (!found || !is_product(&all[w->matrix[MATRIX_A]],
				  &all[w->matrix[MATRIX_B]],
				  &all[w->matrix[MATRIX_C]]))
		return error_set(e, EXIT_INPUT, "the trace of %s has no "
				 "matrices A, B and C of one product",
				 text_show(w->info->kernel));
	return 0;
}

static int check_element_exists(const struct dataflow *w, struct error *e)
{
	const struct trace_array *c = &w->info->arrays[w->matrix[MATRIX_C]];

	if (w->p->i < c->dims[0] && w->p->j < c->dims[1])
		return 0;
	return error_set(e, EXIT_USAGE, "C has %" PRIu64 " x %" PRIu64
			 " elements: there is no C[%" PRIu32 "][%" PRIu32 "]",
			 c->dims[0], c->dims[1], w->p->i, w->p->j);
}

static int check_followable(const struct dataflow *w, struct error *e)
{
	unsigned wanted = 1u << SPACE_GLOBAL | 1u << SPACE_SHARED;

	if (!w->info->values)
		return error_set(e, EXIT_INPUT, "the trace of %s has no "
				 "values; record it without --no-values",
				 text_show(w->info->kernel));
	if ((w->info->spaces & wanted) != wanted)
		return error_set(e, EXIT_INPUT, "the trace of %s lacks global "
				 "or shared memory",
				 text_show(w->info->kernel));
	for (size_t i = 0; i < w->info->site_count; i++)
		if (op_is_bulk(w->info->sites[i].op) &&
		    !w->info->sites[i].tile.rows)
			return error_set(e, EXIT_INPUT, "line %" PRIu32 " of "
					 "%s moves many elements at once, and "
					 "this trace does not say which: "
					 "record it again",
					 w->info->sites[i].line,
					 text_show(w->info->kernel));
	return 0;
}

/* ---- the store ---- */

/* Takes the store down if it is one; true when another thread did before. */
static bool take_store(struct dataflow *w, const struct trace_warp *tw,
		       const struct trace_request *r, uint32_t request,
		       bool *found)
{
	const struct trace_array *c = &w->info->arrays[w->matrix[MATRIX_C]];
	struct provenance *p = w->p;
	bool other = false;

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		uint32_t thread = tw->warp * WARP_LANES + lane;
		long at = dataflow_stored_at(w, r, lane);

		if (at < 0)
			continue;
		other |= *found && (p->block != tw->block ||
				    p->thread != thread);
		*found = true;
		p->block = tw->block;
		p->thread = thread;
		p->line = w->info->sites[r->site].line;
		p->request = request;
		if (w->info->sites[r->site].op != OP_ST ||
		    !element_value(c->elem, &r->value[lane * 4],
				   (uint32_t)at * c->elem_bytes, &p->value))
			p->value = NAN;
	}
	return other;
}

static bool stores_c(const struct dataflow *w, uint32_t site)
{
	const struct trace_site *s = &w->info->sites[site];

	return (s->op == OP_ST || s->op == OP_TMA_ST) &&
	       s->array == (uint32_t)w->matrix[MATRIX_C];
}

/* Finds the last store of the element. Returns 1 if there is one, 0 if not, -1
 * with e; *several: more than one thread stored it. */
static int find_result_store(struct dataflow *w, bool *several, struct error *e)
{
	struct trace_request r;
	bool found = false;
	uint32_t site;

	for (size_t i = 0; i < trace_warp_count(w->t); i++) {
		const struct trace_warp *tw = trace_warp(w->t, i);

		for (uint32_t n = 0; n < tw->requests; n++) {
			if (trace_get_site(w->t, i, n, &site, e))
				return -1;
			if (!stores_c(w, site))
				continue;
			if (trace_get(w->t, i, n, &r, e))
				return -1;
			*several |= take_store(w, tw, &r, n, &found);
		}
	}
	return found;
}

static int not_stored(const struct dataflow *w, struct error *e)
{
	if (w->p->finding_count)
		return error_set(e, EXIT_CHECK, "no thread of %s stores C[%"
				 PRIu32 "][%" PRIu32 "]: %s",
				 text_show(w->info->kernel), w->p->i, w->p->j,
				 w->p->findings[0]);
	return error_set(
		e, w->info->partial ? EXIT_INPUT : EXIT_CHECK,
		w->info->partial ?
			N_("no thread of the part of %s that was recorded "
			   "stores C[%" PRIu32 "][%" PRIu32 "]") :
			N_("no thread of %s stores C[%" PRIu32 "][%" PRIu32
			   "]"),
		text_show(w->info->kernel), w->p->i, w->p->j);
}
/* ---- the sum ---- */

/* Rounds to the precision of C's elements. */
static double round_to_elem(enum elem elem, double v)
{
	return elem == ELEM_F64 ? v : (double)(float)v;
}

/* Counts the loads and reads of an operand that this block's thread
 * multiplied. */
static void count_operand(struct provenance *p, uint32_t block,
			  const struct provenance_operand *o)
{
	p->global_loads++;
	p->loads_by_others += o->loaded_by != p->thread ||
			      o->load_block != block;
	p->tma_loads += o->load_op == OP_TMA_LD;
	p->loads_by_blocks += o->load_block != block;
	p->shared_reads += o->shared;
	p->reads_from_others += o->shared && o->stored_by != p->thread;
}

static void add_up(struct dataflow *w)
{
	enum elem elem = w->info->arrays[w->matrix[MATRIX_C]].elem;
	struct provenance *p = w->p;
	double sum = 0;

	for (size_t i = 0; i < p->step_count; i++) {
		sum = round_to_elem(elem, sum + p->steps[i].product);
		p->steps[i].sum = sum;
	}
}

/* ---- does it fit ---- */

static double sum_of(const struct provenance *p)
{
	return p->step_count ? p->steps[p->step_count - 1].sum : 0;
}

static bool sum_fits(const struct dataflow *w)
{
	enum elem elem = w->info->arrays[w->matrix[MATRIX_C]].elem;
	double sum = sum_of(w->p);

	return fabs(sum - w->p->value) <= dataflow_slack(elem) * fabs(sum);
}

/* Blocks that have handed on what they have of C[i][j], as far as they have been
 * followed. */
struct others {
	struct dataflow *of;
	size_t count, capacity;
};

/* The steps of the thread's or the warp's reads; true when they fit. */
static bool try_steps(struct dataflow *w, struct others *o, bool by_warp)
{
	w->p->by_warp = by_warp;
	products_make(w);
	for (size_t i = 0; i < o->count; i++) {
		o->of[i].p->by_warp = by_warp;
		products_make(&o->of[i]);
		products_add(w->p, o->of[i].p);
	}
	add_up(w);
	w->p->adds_up = sum_fits(w) && w->p->step_count ==
			w->info->arrays[w->matrix[MATRIX_A]].dims[1];
	return w->p->adds_up;
}

/* Chooses the multiply-adds: the thread's, or the warp's if the thread's do not
 * add up (and the warp's do). */
static void choose_steps(struct dataflow *w, struct others *o)
{
	size_t own;

	if (try_steps(w, o, false))
		return;
	own = w->p->step_count;
	if (!try_steps(w, o, true) && own)
		try_steps(w, o, false);
}

/* ---- other blocks ---- */

/* More are not followed. */
#define OTHERS_MOST 64

/* Follows a block to its end. What it has of C[i][j], the thread has that has
 * the number of the one that stores it. */
static int follow_other(const struct dataflow *w, struct others *o,
			uint32_t block, struct error *e)
{
	struct dataflow *of;

	grow(&o->of, &o->capacity, o->count + 1, sizeof(*o->of));
	of = &o->of[o->count++];
	*of = (struct dataflow){ .t = w->t, .info = w->info };
	memcpy(of->matrix, w->matrix, sizeof(of->matrix));
	of->p = xcalloc(1, sizeof(*of->p));
	*of->p = (struct provenance){
		.info = w->info, .i = w->p->i, .j = w->p->j, .block = block,
		.thread = w->p->thread, .request = UINT32_MAX,
		.by_columns = w->p->by_columns,
	};
	return dataflow_block(of, e);
}

static void others_done(struct others *o)
{
	for (size_t i = 0; i < o->count; i++) {
		provenance_done(o->of[i].p);
		free(o->of[i].p);
		dataflow_done(&o->of[i]);
	}
	free(o->of);
}

/* Follows other blocks that share a tile of C: those that do not store it leave
 * their sums in global memory or in shared memory of the cluster. Their
 * products count if all add up. Returns -1 with e. */
static int follow_other_blocks(struct dataflow *w, struct error *e)
{
	struct others o = { 0 };
	uint32_t last = w->p->block;
	int status = 0;

	for (size_t i = 0; i < trace_warp_count(w->t) && !status; i++) {
		uint32_t block = trace_warp(w->t, i)->block;

		if (block == last || block == w->p->block)
			continue;
		last = block;
		status = o.count < OTHERS_MOST ? follow_other(w, &o, block, e) :
						 1;
	}
	if (status == 0)
		choose_steps(w, &o);
	others_done(&o);
	return MIN(status, 0);
}

/* ---- what is wrong ---- */

/* Adds a finding if a read did not get what the preceding store put there. */
static void judge_order(struct dataflow *w)
{
	for (size_t i = 0; i < w->read_count; i++) {
		const struct provenance_operand *o = &w->reads[i].o;
		const struct trace_array *a = &w->info->arrays[o->array];
		char name[120];

		if (!o->unlike ||
		    (!w->p->by_warp && o->read_by != w->p->thread))
			continue;
		array_element(a, o->index * a->elem_bytes, 1, name,
			      sizeof(name));
		add_finding_text(
			w, xasprintf(_("line %1$u does not read from %2$s what "
				       "the preceding store, in line %3$u, put "
				       "there: no barrier orders them"),
				     o->read_line, name, o->store_line));
		return;
	}
}

static uint32_t first_missing(const struct provenance *p, uint32_t depth)
{
	uint8_t *there = xcalloc(p->step_count + 1, 1);
	uint32_t k = 0;

	for (size_t i = 0; i < p->step_count; i++)
		if (p->steps[i].k <= p->step_count)
			there[p->steps[i].k] = 1;
	while (k < depth && k <= p->step_count && there[k])
		k++;
	free(there);
	return k;
}

static void judge_count(struct dataflow *w)
{
	uint64_t depth = w->info->arrays[w->matrix[MATRIX_A]].dims[1];
	struct provenance *p = w->p;
	uint32_t k;

	if (p->step_count == depth)
		return;
	k = first_missing(p, (uint32_t)depth);
	add_finding_text(
		w,
		xasprintf(_("products are missing, %1$zu of %2$zu; the first "
			    "is A[%3$u][%4$u] times B[%4$u][%5$u], which the "
			    "thread was not seen to read"),
			  (size_t)(depth - p->step_count), (size_t)depth, p->i,
			  k, p->j));
}

static void judge_sum(struct dataflow *w)
{
	if (isnan(w->p->value))
		add_finding_text(
			w, xstrdup(_("the stored value is not a number")));
	else if (!sum_fits(w))
		add_finding_text(
			w, xasprintf(_("the products add up to %1$.9g, but "
				       "%2$.9g was stored"),
				     sum_of(w->p), w->p->value));
}

/* ---- the whole ---- */

/* Follows the store's block (and others, if `elsewhere`) and fills in the
 * steps. Returns -1 with e. */
static int follow_store(struct dataflow *w, bool elsewhere, struct error *e)
{
	struct others none = { 0 };

	if (dataflow_block(w, e) < 0 ||
	    (elsewhere && follow_other_blocks(w, e) < 0))
		return -1;
	if (!elsewhere)
		choose_steps(w, &none);
	for (size_t i = 0; i < w->p->step_count; i++) {
		const struct provenance_step *s = &w->p->steps[i];

		count_operand(w->p, s->block, &s->a);
		count_operand(w->p, s->block, &s->b);
		w->p->steps_by_blocks += s->block != w->p->block;
	}
	w->p->by_group = w->p->step_count && w->p->steps[0].a.read->op ==
						     OP_WGMMA;
	judge_order(w);
	judge_sum(w);
	judge_count(w);
	return 0;
}

static int locate_store(struct dataflow *w, bool *several, struct error *e)
{
	if (find_matrices(w, e) || check_element_exists(w, e))
		return -1;
	return find_result_store(w, several, e);
}

uint32_t provenance_cluster(const struct trace_info *info)
{
	uint32_t all = 0, count = 1;

	for (size_t i = 0; i < info->site_count; i++)
		all |= info->sites[i].tile.blocks;
	while (count < WARP_LANES && all >> count)
		count++;
	return count;
}

int provenance_stored(struct trace *t, uint32_t i, uint32_t j,
		      uint32_t *block, struct error *e)
{
	struct provenance p = { .i = i, .j = j };
	struct dataflow w = { .t = t, .info = trace_info(t), .p = &p };
	bool several = false;
	int stored = locate_store(&w, &several, e);

	*block = p.block;
	return stored;
}

/* Builds the provenance as if the matrices in `turned` were column-major;
 * `elsewhere`: include products of other blocks. */
static int build_assuming(struct trace *t, uint32_t i, uint32_t j,
			  unsigned turned, bool elsewhere, struct provenance *p,
			  struct error *e)
{
	struct dataflow w = { .t = t, .info = trace_info(t), .p = p };
	bool several = false;
	int status;

	*p = (struct provenance){ .info = w.info, .i = i, .j = j,
				  .by_columns = turned };
	status = check_followable(&w, e) ? -1 : locate_store(&w, &several, e);
	copy_faults(&w);
	if (status == 0)
		status = not_stored(&w, e);
	if (status > 0 && several)
		add_finding_text(
			&w, xasprintf(_("more than one thread stores C[%1$u]"
					"[%2$u]; this is the last"),
				      i, j));
	if (status > 0)
		status = follow_store(&w, elsewhere, e);
	dataflow_done(&w);
	if (status)
		provenance_done(p);
	return status;
}

int provenance_build(struct trace *t, uint32_t i, uint32_t j,
		     struct provenance *p, struct error *e)
{
	enum { A = 1u << MATRIX_A, B = 1u << MATRIX_B, C = 1u << MATRIX_C };
	static const struct { unsigned turned; bool elsewhere; } ways[] = {
		{ A, false }, { B, false }, { A | B, false },
		{ A | B | C, false }, { 0, true },
	};
	int status = build_assuming(t, i, j, 0, false, p, e);

	for (size_t n = 0; n < LENGTH(ways) && !status && !p->adds_up; n++) {
		struct provenance other;
		struct error none;

		if (build_assuming(t, i, j, ways[n].turned, ways[n].elsewhere,
				   &other, &none))
			continue;
		if (other.adds_up) {
			provenance_done(p);
			*p = other;
		} else {
			provenance_done(&other);
		}
	}
	return status;
}

void provenance_done(struct provenance *p)
{
	for (size_t i = 0; i < p->finding_count; i++)
		free(p->findings[i]);
	free(p->findings);
	free(p->steps);
	*p = (struct provenance){ 0 };
}
