/*
 * dataflow: what moves where until C[i][j] is stored. See walk.h.
 */
#include "provenance/dataflow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "provenance/value_flow.h"
#include "hardware/fragment.h"
#include "kernels/input.h"
#include "base/text.h"

/* Far above what a block of any GPU has; below what is hard to hold. */
#define SHARED_MOST (1u << 18)
#define CELLS_MOST (1u << 22)

/* Which element of A or B a value is, and who loaded it. */
struct origin {
	bool known;
	int matrix;
	uint32_t row, col;
	uint32_t block, thread, line, request;
	enum op op;
};

/* What was put into an element of shared memory or of a register array. */
struct cell {
	bool known, boxed;	/* boxed: by TMA */
	bool matrix;		/* by stmatrix */
	double value;
	struct origin from;
	struct provenance_sum sum;	/* that it is, rounded */
	uint32_t by, line, request;
	uint64_t time;
};

/* now: the last store seen; before: the last one that those who made it had
 * heard of. */
struct shared_cell { struct cell now, before; };

/* What one element of a load site gave a thread last. */
struct last {
	bool known;
	double value;
	uint32_t request;
	struct origin from;
};

/* What a thread read last of register arrays in which sums may be. */
#define RING 16
struct ring {
	struct { struct provenance_sum sum; double value; } at[RING];
	uint32_t count;		/* ever */
};

/* ---- the place in C ---- */

/* Which of C's elements the wanted one is, as they are stored. */
static uint64_t result_at(const struct dataflow *w)
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
	uint64_t wanted = result_at(w);
	uint64_t first = r->offset[lane] / c->elem_bytes;

	if (!(r->mask >> lane & 1))
		return -1;
	if (s->op == OP_TMA_ST)
		return boxed_at(w, &s->tile, first);
	return wanted - first < s->bytes / c->elem_bytes ?
	       (long)(wanted - first) : -1;
}

/* ---- what stands where ---- */

static uint64_t add_cells(struct dataflow *w, enum space space, uint64_t most)
{
	uint64_t count = 0;

	for (size_t i = 0; i < w->info->array_count; i++) {
		const struct trace_array *a = &w->info->arrays[i];
		uint64_t units = a->elem_bytes /
				 value_flow_unit(w->carry, (uint32_t)i).bytes;

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

static int make_cells(struct dataflow *w, struct error *e)
{
	uint64_t threads = threads_of(w->info);
	size_t slots = value_flow_slot_count(w->carry);

	w->first = xcalloc(w->info->array_count, sizeof(*w->first));
	w->shared_count = add_cells(w, SPACE_SHARED, SHARED_MOST);
	w->register_count = add_cells(w, SPACE_REGISTER, CELLS_MOST / threads);
	if (w->shared_count > SHARED_MOST || w->register_count > CELLS_MOST)
		return error_set(e, EXIT_INPUT, "the arrays of %s are too "
				 "large to be followed",
				 text_show(w->info->kernel));
	w->shared = xcalloc(w->shared_count, sizeof(*w->shared));
	w->registers = xcalloc(w->register_count * threads,
			       sizeof(*w->registers));
	w->last = xcalloc(slots * threads, sizeof(*w->last));
	w->rings = xcalloc(threads, sizeof(*w->rings));
	return 0;
}

static struct last *last_of(const struct dataflow *w, uint32_t thread,
			    size_t slot)
{
	return &w->last[thread * value_flow_slot_count(w->carry) + slot];
}

static struct cell *register_cell(const struct dataflow *w, uint32_t thread,
				  uint32_t array, uint64_t at)
{
	return &w->registers[thread * w->register_count + w->first[array] +
			     at];
}

/* ---- the walk ---- */

/* One unit of one lane's part of a request. */
struct move {
	const struct trace_site *site;
	const struct trace_array *array;
	uint32_t site_index, part;	/* part: of a wide access, from 0 */
	uint64_t at;			/* unit of the array */
	uint64_t element;		/* of the array, which it lies in */
	double value;
	uint32_t thread, request, phase;
	const struct turn *turn;
};

static struct origin origin_of(const struct dataflow *w, const struct move *m)
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
				.block = m->turn->of->block,
				.thread = m->thread, .line = m->site->line,
				.request = m->request, .op = m->site->op,
			};
	}
	return (struct origin){ 0 };
}

/* ---- sums on their way to C ---- */

double dataflow_slack(enum elem elem)
{
	return elem == ELEM_F16 ? 0x1p-11 : elem == ELEM_BF16 ? 0x1p-8 : 0;
}

static void ring_add(const struct dataflow *w, const struct move *m,
		     const struct cell *c)
{
	struct ring *ring = &w->rings[m->thread];
	uint32_t at = ring->count++ % RING;

	ring->at[at].value = m->value;
	ring->at[at].sum = c->sum.known ? c->sum : (struct provenance_sum){
		true, m->site->array, m->thread, m->site->line, m->element };
}

/*
 * Where the unit that is stored was: of the `units` elements that the thread
 * has read last the one at the same place among them, for they may have been
 * read in any order; else one that has the value.
 */
static struct provenance_sum sum_stored(const struct dataflow *w,
					const struct move *m)
{
	const struct ring *ring = &w->rings[m->thread];
	uint32_t units = value_flow_units(w->carry, m->site_index);
	enum elem elem = value_flow_unit(w->carry, m->site->array).elem;
	struct provenance_sum found = { 0 };

	for (uint32_t i = 1; i <= MIN(ring->count, RING); i++) {
		uint32_t x = (ring->count - i) % RING, lower = 0;
		double v = ring->at[x].value;

		if (!(fabs(v - m->value) <= dataflow_slack(elem) * fabs(v)))
			continue;
		for (uint32_t j = 1; j <= units; j++)
			lower += ring->at[(ring->count - j) % RING].sum.index <
				 ring->at[x].sum.index;
		if (i <= units && lower == m->part)
			return ring->at[x].sum;
		if (!found.known)
			found = ring->at[x].sum;
	}
	return found;
}

/* What a warp's read of shared memory sees. */
static const struct cell *cell_seen(const struct dataflow *w,
				    const struct move *m)
{
	const struct shared_cell *s =
		&w->shared[w->first[m->site->array] + m->at];

	return s->now.known && !s->now.boxed &&
	       s->now.time > m->turn->heard &&
	       s->now.by / WARP_LANES != m->thread / WARP_LANES ?
	       &s->before : &s->now;
}

/* An element of A or B was read, by wgmma in a product; it counts when C[i][j]
 * needs it. */
static void note_read(struct dataflow *w, const struct move *m,
		      const struct origin *from, const struct cell *c,
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
	struct last *last =
		last_of(w, m->thread,
			value_flow_slot(w->carry, m->site_index) + m->part);
	const struct cell *c = NULL;
	struct origin from = { 0 };

	if (m->array->space == SPACE_GLOBAL) {
		from = origin_of(w, m);
	} else if (m->array->space == SPACE_REGISTER) {
		c = register_cell(w, m->thread, m->site->array, m->at);
		/* Not all that sets an array at once is in a trace. */
		if (c->value == m->value)
			from = c->from;
		if (c->known)
			ring_add(w, m, c);
	} else {
		c = cell_seen(w, m);
		from = c->from;
	}
	*last = (struct last){ true, m->value, m->request, from };
	if (m->thread / WARP_LANES == w->p->thread / WARP_LANES &&
	    m->array->space != SPACE_REGISTER)
		note_read(w, m, &from, c, 0);
}

/* Of what a store may carry: what was loaded in its line, else last. */
static const struct last *carried(const struct dataflow *w,
				  const struct move *m)
{
	const struct last *best = NULL;
	bool best_near = false;
	size_t count;
	const uint32_t *slots =
		value_flow_sources(w->carry, m->site_index, m->part, &count);

	for (size_t i = 0; i < count; i++) {
		const struct last *l = last_of(w, m->thread, slots[i]);
		uint32_t site = value_flow_slot_site(w->carry, slots[i]);
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

/* What a thread loaded for shared memory it did not multiply with. */
static void pass_on(struct dataflow *w, const struct origin *from)
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

/* stmatrix: what the register of another lane holds, which has just been
 * read. */
static struct provenance_sum sum_given(const struct dataflow *w,
				       const struct move *m)
{
	struct fragment_wish wish = { "stmatrix.x4", 'R', 0, 0, NULL };
	uint32_t lane = m->thread % WARP_LANES;
	struct fragment_place at = { .matrix = (int)lane / 8,
				     .row = (int)lane % 8,
				     .col = (int)m->part };
	const struct ring *ring;
	struct fragment f;

	if (fragment_find(&wish, &f, NULL))
		return (struct provenance_sum){ 0 };
	fragment_holder(&f, &at);
	if (m->thread - lane + (uint32_t)at.lane >= threads_of(w->info))
		return (struct provenance_sum){ 0 };
	ring = &w->rings[m->thread - lane + (uint32_t)at.lane];
	return ring->at[(ring->count - (uint32_t)(f.elements - at.element)) %
			RING].sum;
}

static struct provenance_sum sum_of_move(const struct dataflow *w,
					 const struct move *m)
{
	if (m->site->matrix)
		return sum_given(w, m);
	/* Of the same type it may be a register that is added to. */
	if (dataflow_slack(value_flow_unit(w->carry, m->site->array).elem) == 0)
		return (struct provenance_sum){ 0 };
	return sum_stored(w, m);
}

static void shared_put(const struct dataflow *w, const struct move *m,
		       const struct cell *c)
{
	struct shared_cell *s =
		&w->shared[w->first[m->site->array] + m->at];

	if (s->now.known && s->now.time <= m->turn->heard)
		s->before = s->now;
	s->now = *c;
}

static void move_store(struct dataflow *w, const struct move *m)
{
	const struct last *l = m->site->matrix ? NULL : carried(w, m);
	struct cell c = {
		.known = true, .value = m->value, .by = m->thread,
		.line = m->site->line, .request = m->request,
		.time = m->turn->time, .matrix = m->site->matrix,
		.sum = sum_of_move(w, m),
	};

	if (l)
		c.from = l->from;
	if (m->array->space == SPACE_REGISTER) {
		*register_cell(w, m->thread, m->site->array, m->at) = c;
		return;
	}
	shared_put(w, m, &c);
	if (c.from.known && c.from.thread == m->thread &&
	    m->thread / WARP_LANES == w->p->thread / WARP_LANES)
		pass_on(w, &c.from);
}

/* The store of C[i][j] that is told of. */
static bool is_result(const struct dataflow *w, const struct move *m)
{
	return m->site->array == (uint32_t)w->matrix[MATRIX_C] &&
	       m->request == w->p->request && m->thread == w->p->thread &&
	       m->element == result_at(w);
}

static void walk_lane(struct dataflow *w, const struct trace_request *r,
		      uint32_t lane, struct move *m)
{
	struct value_flow_unit unit;

	m->site_index = r->site;
	m->site = &w->info->sites[r->site];
	m->array = &w->info->arrays[m->site->array];
	unit = value_flow_unit(w->carry, m->site->array);
	for (m->part = 0; m->part < value_flow_units(w->carry, r->site);
	     m->part++) {
		m->at = r->offset[lane] / unit.bytes + m->part;
		m->element = m->at * unit.bytes / m->array->elem_bytes;
		if (!element_value(unit.elem, &r->value[lane * 4],
				   m->part * unit.bytes, &m->value))
			return;
		if (m->site->op == OP_LD)
			move_load(w, m);
		else if (m->array->space != SPACE_GLOBAL)
			move_store(w, m);
		else if (is_result(w, m))
			w->p->sum = sum_stored(w, m);
	}
}

/* ---- in bulk ---- */

static struct move bulk_move(const struct dataflow *w, const struct turn *t,
			     uint32_t lane)
{
	const struct trace_site *site = &w->info->sites[t->r->site];

	return (struct move){
		.site = site, .array = &w->info->arrays[site->array],
		.site_index = t->r->site,
		.thread = t->of->warp * WARP_LANES + lane,
		.request = t->request, .turn = t,
		.phase = trace_phase_of(w->t, t->warp, t->request),
	};
}

/* The nth element of the tile that is at offset; false: it is outside. */
static bool bulk_place(const struct dataflow *w, struct move *m,
		       uint64_t offset, uint32_t nth)
{
	uint64_t at;

	if (!trace_tile_at(w->info, m->site, offset, nth, &at))
		return false;
	m->part = nth;
	m->at = at / value_flow_unit(w->carry, m->site->array).bytes;
	m->element = at / m->array->elem_bytes;
	return true;
}

/* What the recorder put there. */
static double input_value(const struct dataflow *w, const struct origin *o)
{
	uint32_t columns = o->matrix == MATRIX_A ? w->info->k : w->info->n;
	uint32_t rows = o->matrix == MATRIX_A ? w->info->m : w->info->k;

	return o->row < rows && o->col < columns ?
	       input_at(w->info->seed, o->matrix,
			(uint64_t)o->row * columns + o->col) : 0;
}

/* Of a box that is wholly outside of its matrix, from is NULL. */
static void bring_lane(struct dataflow *w, const struct turn *t,
		       const struct turn *from, uint32_t lane)
{
	struct move to = bulk_move(w, t, lane), m = { 0 };
	uint32_t at;

	if (from)
		m = bulk_move(w, from, lane);
	for (uint32_t n = 0; n < trace_tile_elements(to.site); n++) {
		struct cell c = {
			.known = true, .boxed = true, .by = to.thread,
			.line = to.site->line, .request = to.request,
			.time = t->time,
		};

		if (!bulk_place(w, &to, t->r->offset[lane], n))
			continue;
		if (from &&
		    trace_tile_match(&to.site->tile, &m.site->tile, n, &at) &&
		    bulk_place(w, &m, from->r->offset[lane], at)) {
			c.from = origin_of(w, &m);
			c.value = input_value(w, &c.from);
		}
		shared_put(w, &to, &c);
	}
}

static void multiply(struct dataflow *w, const struct turn *t, uint64_t product)
{
	uint32_t lane = (uint32_t)__builtin_ctz(t->r->mask);
	struct move m = bulk_move(w, t, lane);

	for (uint32_t n = 0; n < trace_tile_elements(m.site); n++) {
		const struct cell *c;

		if (!bulk_place(w, &m, t->r->offset[lane], n))
			continue;
		c = &w->shared[w->first[m.site->array] + m.at].now;
		m.value = c->value;
		note_read(w, &m, &c->from, c, product);
	}
}

/* C[i][j] leaves with a box. */
static void value_flow_out(struct dataflow *w, const struct turn *t,
			   const struct turn *from)
{
	uint32_t lane = w->p->thread % WARP_LANES;
	struct move m = bulk_move(w, from, lane);
	const struct trace_tile *box = &m.site->tile;
	const struct trace_tile *matrix = &w->info->sites[t->r->site].tile;
	uint32_t nth = (uint32_t)dataflow_stored_at(w, t->r, lane);
	uint32_t row = nth / matrix->columns + box->rows - matrix->rows;
	uint32_t col = nth % matrix->columns + box->columns - matrix->columns;
	const struct cell *c;

	if (!bulk_place(w, &m, from->r->offset[lane],
			row * box->columns + col))
		return;
	c = &w->shared[w->first[m.site->array] + m.at].now;
	w->p->value = c->known ? c->value : NAN;
	w->p->sum = c->sum;
	w->p->way = (struct provenance_way){
		c->known, m.site->array, m.element, c->by, c->line,
		c->request, c->matrix };
}

/* Whether a box comes to the block, of its own or by multicast. */
static bool comes_here(const struct dataflow *w, const struct turn *t)
{
	uint32_t blocks = w->info->sites[t->r->site].tile.blocks;

	return blocks ? blocks >> w->p->block % w->cluster & 1 :
			t->of->block == w->p->block;
}

static void walk_bulk(struct dataflow *w, const struct turn *t, bool ends)
{
	const struct trace_site *s = &w->info->sites[t->r->site];
	enum space space = w->info->arrays[s->array].space;
	bool global = space == SPACE_GLOBAL;
	/* What is wholly outside of a matrix has no request there. */
	bool ends_there = s->op == OP_WGMMA || global == (s->op == OP_TMA_ST);
	bool second = ends_there && w->half.r && w->half.warp == t->warp &&
		      w->half.request + 1 == t->request &&
		      w->info->sites[w->half.r->site].op == s->op;
	const struct turn *half = second ? &w->half : NULL;

	if (space == SPACE_REGISTER || (global && s->op == OP_WGMMA))
		return;
	if (s->op == OP_TMA_LD && !global && comes_here(w, t))
		for (uint32_t lane = 0; lane < WARP_LANES; lane++)
			if (t->r->mask >> lane & 1)
				bring_lane(w, t, half, lane);
	if (s->op == OP_TMA_ST && second && ends)
		value_flow_out(w, t, half);
	/* The four warps of a group say the same. */
	if (s->op == OP_WGMMA && t->of->warp % 4 == 0 &&
	    t->of->block == w->p->block)
		multiply(w, t, second ? half->time : t->time);
	w->half.r = NULL;
	if (!second) {
		w->half_request = *t->r;
		w->half = *t;
		w->half.r = &w->half_request;
	}
}

/* ---- the walk, up to the store ---- */

static void walk_access(struct dataflow *w, const struct turn *t)
{
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		struct move m = {
			.thread = t->of->warp * WARP_LANES + lane,
			.request = t->request, .turn = t,
			.phase = trace_phase_of(w->t, t->warp, t->request),
		};

		if (t->r->mask >> lane & 1)
			walk_lane(w, t->r, lane, &m);
	}
}

static int walk_turn(void *ctx, const struct turn *t)
{
	struct dataflow *w = ctx;
	bool ends = t->warp == w->own && t->request == w->p->request;
	enum op op = w->info->sites[t->r->site].op;

	if (op_is_bulk(op))
		walk_bulk(w, t, ends);
	else if (op_is_access(op) && t->of->block == w->p->block)
		walk_access(w, t);
	return ends;
}

int dataflow_block(struct dataflow *w, struct error *e)
{
	w->cluster = provenance_cluster(w->info);
	w->carry = value_flow_learn(w->t, w->p->block,
				    &w->info->arrays[w->matrix[MATRIX_A]], e);
	if (!w->carry || make_cells(w, e) < 0)
		return -1;
	w->own = (size_t)trace_find_warp(w->t, w->p->block,
					 w->p->thread / WARP_LANES);
	return schedule_visit(w->t, w->p->block / w->cluster * w->cluster,
			      w->cluster, walk_turn, w, e);
}

void dataflow_done(struct dataflow *w)
{
	value_flow_free(w->carry);
	free(w->first);
	free(w->shared);
	free(w->registers);
	free(w->last);
	free(w->rings);
	free(w->reads);
}
