/* dataflow: follows values until C[i][j] is stored. See dataflow.h. */
#include "provenance/dataflow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "provenance/dataflow_state.h"
#include "hardware/fragment.h"
#include "base/text.h"

/* Far above what a block of any GPU has; below what is hard to hold. */
#define SHARED_MOST (1u << 18)
#define REGISTERS_MOST (1u << 22)

/* ---- the place in C ---- */

/* Returns the index of the wanted element of C in memory order. */
static uint64_t get_result_index(const struct dataflow *w)
{
	const struct trace_array *c = &w->info->arrays[w->matrix[MATRIX_C]];

	return w->p->by_columns >> MATRIX_C & 1 ?
	       (uint64_t)w->p->j * c->dims[0] + w->p->i :
	       (uint64_t)w->p->i * c->dims[1] + w->p->j;
}

/* The place of C's element in a box, or -1. */
static long boxed_at(const struct dataflow *w, const struct trace_tile *box,
		     uint64_t first)
{
	const struct trace_array *c = &w->info->arrays[w->matrix[MATRIX_C]];
	uint64_t row = w->p->i - first / c->dims[1];
	uint64_t col = w->p->j - first % c->dims[1];

	return row < box->rows && col < box->columns ?
	       (long)(row * box->columns + col) : -1;
}

long dataflow_stored_at(const struct dataflow *w, const struct trace_request *r,
			uint32_t lane)
{
	const struct trace_array *c = &w->info->arrays[w->matrix[MATRIX_C]];
	const struct trace_site *s = &w->info->sites[r->site];
	uint64_t wanted = get_result_index(w);
	uint64_t first = r->offset[lane] / c->elem_bytes;

	if (!(r->mask >> lane & 1))
		return -1;
	if (s->op == OP_TMA_ST)
		return boxed_at(w, &s->tile, first);
	return wanted - first < s->bytes / c->elem_bytes ?
	       (long)(wanted - first) : -1;
}

/* ---- contents of memory ---- */

/* Counts the units of all arrays in a space, and sets where each array begins.
 * Returns UINT64_MAX if there are more than `most`. */
static uint64_t elements_count(struct dataflow *w, enum space space,
			       uint64_t most)
{
	uint64_t count = 0;

	for (size_t i = 0; i < w->info->array_count; i++) {
		const struct trace_array *a = &w->info->arrays[i];
		uint64_t units = a->elem_bytes /
				 value_flow_unit(w->flow, (uint32_t)i).bytes;

		if (a->space != space)
			continue;
		w->first[i] = count;
		for (uint32_t d = 0; d < a->rank; d++)
			units *= a->dims[d];
		if (units > most - count)
			return UINT64_MAX;
		count += units;
	}
	return count;
}

static uint64_t threads_of(const struct trace_info *info)
{
	return (uint64_t)info->block.x * info->block.y * info->block.z;
}

static int contents_make(struct dataflow *w, struct error *e)
{
	uint64_t threads = threads_of(w->info);
	size_t slots = value_flow_slot_count(w->flow);

	w->first = xcalloc(w->info->array_count, sizeof(*w->first));
	w->shared_count = elements_count(w, SPACE_SHARED, SHARED_MOST);
	w->register_count = elements_count(w, SPACE_REGISTER,
					   REGISTERS_MOST / threads);
	if (w->shared_count > SHARED_MOST || w->register_count > REGISTERS_MOST)
		return error_set(e, EXIT_INPUT, "the arrays of %s are too "
				 "large to be followed",
				 text_show(w->info->kernel));
	w->shared = xcalloc(w->shared_count, sizeof(*w->shared));
	w->registers = xcalloc(w->register_count * threads,
			       sizeof(*w->registers));
	w->last = xcalloc(slots * threads, sizeof(*w->last));
	w->recent = xcalloc(threads, sizeof(*w->recent));
	return 0;
}

static struct loaded_value *last_of(const struct dataflow *w, uint32_t thread,
				    size_t slot)
{
	return &w->last[thread * value_flow_slot_count(w->flow) + slot];
}

static struct contents *register_contents(const struct dataflow *w,
					  uint32_t thread, uint32_t array,
					  uint64_t at)
{
	return &w->registers[thread * w->register_count + w->first[array] +
			     at];
}

/* ---- what a thread moves ---- */

/* Returns the element of A or B that a move loads, if it loads one. */
struct origin dataflow_origin(const struct dataflow *w, const struct move *m)
{
	for (int i = MATRIX_A; i <= MATRIX_B; i++) {
		bool turned = w->p->by_columns >> i & 1;
		uint64_t line = m->array->dims[turned ? 0 : 1];
		uint32_t nth = (uint32_t)(m->element / line);
		uint32_t along = (uint32_t)(m->element % line);

		if (m->site->array == (uint32_t)w->matrix[i])
			return (struct origin){
				.known = true, .matrix = i,
				.row = turned ? along : nth,
				.col = turned ? nth : along,
				.block = m->step->of->block,
				.thread = m->thread, .line = m->site->line,
				.request = m->request, .op = m->site->op,
			};
	}
	return (struct origin){ 0 };
}

/* ---- sums on their way to C ---- */

/* Returns the relative rounding error of a sum in that type. */
double dataflow_slack(enum elem elem)
{
	return elem == ELEM_F16 ? 0x1p-11 : elem == ELEM_BF16 ? 0x1p-8 : 0;
}

static void recent_add(const struct dataflow *w, const struct move *m,
		       const struct contents *c)
{
	struct recent_reads *recent = &w->recent[m->thread];
	uint32_t at = recent->count++ % RECENT;

	recent->at[at].value = m->value;
	recent->at[at].sum = c->sum.known ? c->sum : (struct provenance_sum){
		true, m->site->array, m->thread, m->site->line, m->element };
}

/* Finds the register that the stored unit came from: of the last `units`
 * elements that the thread has read, the one with the same rank among them
 * (they may have been read in any order); else one that has the value. */
static struct provenance_sum find_stored_sum(const struct dataflow *w,
					     const struct move *m)
{
	const struct recent_reads *recent = &w->recent[m->thread];
	uint32_t units = value_flow_units(w->flow, m->site_index);
	enum elem elem = value_flow_unit(w->flow, m->site->array).elem;
	struct provenance_sum found = { 0 };

	for (uint32_t i = 1; i <= MIN(recent->count, RECENT); i++) {
		uint32_t x = (recent->count - i) % RECENT, lower = 0;
		double v = recent->at[x].value;

		if (!(fabs(v - m->value) <= dataflow_slack(elem) * fabs(v)))
			continue;
		for (uint32_t j = 1; j <= units; j++)
			lower += recent->at[(recent->count - j) % RECENT]
					 .sum.index < recent->at[x].sum.index;
		if (i <= units && lower == m->part)
			return recent->at[x].sum;
		if (!found.known)
			found = recent->at[x].sum;
	}
	return found;
}

/* Returns the contents that a warp's read of shared memory sees. */
static const struct contents *contents_seen(const struct dataflow *w,
					    const struct move *m)
{
	const struct shared_contents *s =
		&w->shared[w->first[m->site->array] + m->at];

	return s->now.known && !s->now.boxed &&
	       s->now.time > m->step->acquired &&
	       s->now.by / WARP_LANES != m->thread / WARP_LANES ?
	       &s->before : &s->now;
}

/* Records that an element of A or B was read, by wgmma in product `product`;
 * only if C[i][j] needs it. */
void dataflow_read(struct dataflow *w, const struct move *m,
		   const struct origin *from, const struct contents *c,
		   uint64_t product)
{
	const struct trace_tile *t = &m->site->tile;
	bool a = from->matrix == MATRIX_A;
	struct read r = {
		.matrix = from->matrix, .k = a ? from->col : from->row,
		.phase = m->phase, .order = w->read_count, .product = product,
		.o = { .row = from->row, .col = from->col, .value = m->value,
		       .loaded_by = from->thread, .load_line = from->line,
		       .load_request = from->request,
		       .load_block = from->block, .load_op = from->op,
		       .read_by = m->thread, .read_line = m->site->line,
		       .read_request = m->request, .read = m->site },
	};

	if (!from->known || (a ? from->row != w->p->i : from->col != w->p->j))
		return;
	if (c) {
		r.o.shared = true;
		r.o.array = m->site->array;
		r.o.index = m->element;
		r.o.stored_by = c->by;
		r.o.store_line = c->line;
		r.o.store_request = c->request;
		r.o.unlike = !(c->value == m->value);
	}
	if (product) {
		uint32_t row = m->part / t->columns;

		r.o.tile_row = row % t->rows;
		r.o.tile_col = row / t->rows * t->columns +
			       m->part % t->columns;
	}
	grow(&w->reads, &w->read_capacity, w->read_count + 1,
	     sizeof(*w->reads));
	w->reads[w->read_count++] = r;
}

static void move_load(struct dataflow *w, const struct move *m)
{
	struct loaded_value *last =
		last_of(w, m->thread,
			value_flow_slot(w->flow, m->site_index) + m->part);
	const struct contents *c = NULL;
	struct origin from = { 0 };

	if (m->array->space == SPACE_GLOBAL ||
	    m->array->space == SPACE_CONSTANT) {
		from = dataflow_origin(w, m);
	} else if (m->array->space == SPACE_REGISTER) {
		c = register_contents(w, m->thread, m->site->array, m->at);
		/* Not all that sets an array at once is in a trace. */
		if (c->value == m->value)
			from = c->from;
		if (c->known)
			recent_add(w, m, c);
	} else {
		c = contents_seen(w, m);
		from = c->from;
	}
	*last = (struct loaded_value){ true, m->value, m->request, from };
	if (m->thread / WARP_LANES == w->p->thread / WARP_LANES &&
	    m->array->space != SPACE_REGISTER)
		dataflow_read(w, m, &from, c, 0);
}

/* Returns the load that a store may have its value from: one in the store's
 * line if there is one, else the last. */
static const struct loaded_value *find_carried_value(const struct dataflow *w,
						     const struct move *m)
{
	const struct loaded_value *best = NULL;
	bool best_near = false;
	size_t count;
	const uint32_t *slots =
		value_flow_sources(w->flow, m->site_index, m->part, &count);

	for (size_t i = 0; i < count; i++) {
		const struct loaded_value *l = last_of(w, m->thread, slots[i]);
		uint32_t site = value_flow_slot_site(w->flow, slots[i]);
		bool near = w->info->sites[site].line == m->site->line;

		if (!l->known || !(l->value == m->value))
			continue;
		if (!best || near > best_near ||
		    (near == best_near && l->request > best->request)) {
			best = l;
			best_near = near;
		}
	}
	return best;
}

/* Marks what a thread loaded only in order to store it to shared memory. */
static void mark_passed_on(struct dataflow *w, const struct origin *from)
{
	for (size_t i = w->read_count; i-- > 0; ) {
		struct read *r = &w->reads[i];

		if (r->o.read_request < from->request)
			return;
		if (!r->o.shared && r->o.read_by == from->thread &&
		    r->o.load_request == from->request &&
		    r->o.row == from->row && r->o.col == from->col)
			r->passed_on = true;
	}
}

/* Returns the sum that an stmatrix stores from a register of another lane,
 * which has just been read. Of the two variants in ptx.h, the one for two
 * matrices, in which half of the lanes give rows, transposes them. */
static struct provenance_sum find_stmatrix_sum(const struct dataflow *w,
					       const struct move *m)
{
	bool two = m->step->r->mask >> WARP_LANES / 2 == 0;
	struct fragment_wish wish = {
		two ? "stmatrix.x2.trans" : "stmatrix.x4", 'R', 0, 0, NULL
	};
	uint32_t lane = m->thread % WARP_LANES, nth;
	struct fragment_place at = { .matrix = (int)lane / 8,
				     .row = (int)lane % 8,
				     .col = (int)m->part };
	const struct recent_reads *recent;
	struct fragment f;

	if (fragment_find(&wish, &f, NULL))
		return (struct provenance_sum){ 0 };
	fragment_holder(&f, &at);
	if (m->thread - lane + (uint32_t)at.lane >= threads_of(w->info))
		return (struct provenance_sum){ 0 };
	recent = &w->recent[m->thread - lane + (uint32_t)at.lane];
	nth = recent->count - (uint32_t)(f.elements - at.element);
	return recent->at[nth % RECENT].sum;
}

static struct provenance_sum sum_of_move(const struct dataflow *w,
					 const struct move *m)
{
	if (m->site->matrix)
		return find_stmatrix_sum(w, m);
	/* A store of the same type may be to a register that is added to. */
	if (dataflow_slack(value_flow_unit(w->flow, m->site->array).elem) == 0)
		return (struct provenance_sum){ 0 };
	return find_stored_sum(w, m);
}

void dataflow_shared_put(const struct dataflow *w, const struct move *m,
			 const struct contents *c)
{
	struct shared_contents *s =
		&w->shared[w->first[m->site->array] + m->at];

	if (s->now.known && s->now.time <= m->step->acquired)
		s->before = s->now;
	s->now = *c;
}

static void move_store(struct dataflow *w, const struct move *m)
{
	const struct loaded_value *l =
		m->site->matrix ? NULL : find_carried_value(w, m);
	struct contents c = {
		.known = true, .value = m->value, .by = m->thread,
		.line = m->site->line, .request = m->request,
		.time = m->step->time, .matrix = m->site->matrix,
		.sum = sum_of_move(w, m),
	};

	if (l)
		c.from = l->from;
	if (m->array->space == SPACE_REGISTER) {
		*register_contents(w, m->thread, m->site->array, m->at) = c;
		return;
	}
	dataflow_shared_put(w, m, &c);
	if (c.from.known && c.from.thread == m->thread &&
	    m->thread / WARP_LANES == w->p->thread / WARP_LANES)
		mark_passed_on(w, &c.from);
}

/* Returns whether a move is the followed store of C[i][j]. */
static bool is_followed_store(const struct dataflow *w, const struct move *m)
{
	return m->site->array == (uint32_t)w->matrix[MATRIX_C] &&
	       m->request == w->p->request && m->thread == w->p->thread &&
	       m->element == get_result_index(w);
}

/* A store to another block of the cluster; where it came from is not known. */
static void move_in(struct dataflow *w, const struct move *m)
{
	struct contents c = {
		.known = true, .value = m->value, .by = m->thread,
		.line = m->site->line, .request = m->request,
		.time = m->step->time,
	};

	dataflow_shared_put(w, m, &c);
}

static void follow_lane(struct dataflow *w, const struct trace_request *r,
			uint32_t lane, struct move *m)
{
	struct value_flow_unit unit;

	m->site_index = r->site;
	m->site = &w->info->sites[r->site];
	m->array = &w->info->arrays[m->site->array];
	unit = value_flow_unit(w->flow, m->site->array);
	for (m->part = 0; m->part < value_flow_units(w->flow, r->site);
	     m->part++) {
		m->at = r->offset[lane] / unit.bytes + m->part;
		m->element = m->at * unit.bytes / m->array->elem_bytes;
		if (!element_value(unit.elem, &r->value[lane * 4],
				   m->part * unit.bytes, &m->value))
			return;
		if (m->step->of->block != w->p->block)
			move_in(w, m);
		else if (m->site->op == OP_LD)
			move_load(w, m);
		else if (m->array->space != SPACE_GLOBAL)
			move_store(w, m);
		else if (is_followed_store(w, m))
			w->p->sum = find_stored_sum(w, m);
	}
}

/* ---- step by step, up to the store ---- */

static void follow_access(struct dataflow *w, const struct schedule_step *t)
{
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		struct move m = {
			.thread = t->of->warp * WARP_LANES + lane,
			.request = t->request, .step = t,
			.phase = trace_phase_of(w->t, t->warp, t->request),
		};

		if (t->r->mask >> lane & 1)
			follow_lane(w, t->r, lane, &m);
	}
}

static int follow_step(void *ctx, const struct schedule_step *t)
{
	struct dataflow *w = ctx;
	bool ends = t->warp == w->own && t->request == w->p->request;
	enum op op = w->info->sites[t->r->site].op;

	if (op_is_bulk(op))
		dataflow_bulk(w, t, ends);
	else if (op_is_access(op) && dataflow_comes_here(w, t))
		follow_access(w, t);
	return ends;
}

int dataflow_block(struct dataflow *w, struct error *e)
{
	int status = -1;

	w->cluster = provenance_cluster(w->info);
	w->flow = value_flow_learn(w->t, w->p->block,
				    &w->info->arrays[w->matrix[MATRIX_A]], e);
	w->own = (size_t)trace_find_warp(w->t, w->p->block,
					 w->p->thread / WARP_LANES);
	if (w->flow && contents_make(w, e) == 0)
		status = schedule_visit(w->t, w->p->block / w->cluster *
					w->cluster, w->cluster, follow_step, w,
					e);
	value_flow_free(w->flow);
	free(w->first);
	free(w->shared);
	free(w->registers);
	free(w->last);
	free(w->recent);
	return status;
}

void dataflow_done(struct dataflow *w)
{
	free(w->reads);
}
