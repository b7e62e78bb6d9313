/* dataflow_bulk: what TMA and wgmma move, element by element. See
 * dataflow_state.h. */
#include <math.h>

#include "kernels/kernels.h"
#include "provenance/dataflow_state.h"

static struct move bulk_move(const struct dataflow *w,
			     const struct schedule_step *t, uint32_t lane)
{
	const struct trace_site *site = &w->info->sites[t->r->site];

	return (struct move){
		.site = site, .array = &w->info->arrays[site->array],
		.site_index = t->r->site,
		.thread = t->of->warp * WARP_LANES + lane,
		.request = t->request, .step = t,
		.phase = trace_phase_of(w->t, t->warp, t->request),
	};
}

/* Moves on to the nth element of the tile at `offset`. Returns false if it is
 * outside the array. */
static bool set_bulk_element(const struct dataflow *w, struct move *m,
			     uint64_t offset, uint32_t nth)
{
	uint64_t at;

	if (!trace_tile_at(w->info, m->site, offset, nth, &at))
		return false;
	m->part = nth;
	m->at = at / value_flow_unit(w->flow, m->site->array).bytes;
	m->element = at / m->array->elem_bytes;
	return true;
}

/* Returns the recorder's input for an element of A or B. */
static double get_input_value(const struct dataflow *w, const struct origin *o)
{
	uint32_t columns = o->matrix == MATRIX_A ? w->info->k : w->info->n;
	uint32_t rows = o->matrix == MATRIX_A ? w->info->m : w->info->k;

	return o->row < rows && o->col < columns ?
	       recorded_input(w->info, o->matrix,
			      (uint64_t)o->row * columns + o->col) : 0;
}

/* Copies a box to shared memory. `from` is NULL if the box is wholly outside
 * its matrix. */
static void copy_box(struct dataflow *w, const struct schedule_step *t,
		     const struct schedule_step *from, uint32_t lane)
{
	struct move to = bulk_move(w, t, lane), m = { 0 };
	uint32_t at;

	if (from)
		m = bulk_move(w, from, lane);
	for (uint32_t n = 0; n < trace_tile_elements(to.site); n++) {
		struct contents c = {
			.known = true, .boxed = true, .by = to.thread,
			.line = to.site->line, .request = to.request,
			.time = t->time,
		};

		if (!set_bulk_element(w, &to, t->r->offset[lane], n))
			continue;
		if (from &&
		    trace_tile_match(&to.site->tile, &m.site->tile, n, &at) &&
		    set_bulk_element(w, &m, from->r->offset[lane], at)) {
			c.from = dataflow_origin(w, &m);
			c.value = get_input_value(w, &c.from);
		}
		dataflow_shared_put(w, &to, &c);
	}
}

static void record_operand(struct dataflow *w, const struct schedule_step *t,
			   uint64_t product)
{
	uint32_t lane = (uint32_t)__builtin_ctz(t->r->mask);
	struct move m = bulk_move(w, t, lane);

	for (uint32_t n = 0; n < trace_tile_elements(m.site); n++) {
		const struct contents *c;

		if (!set_bulk_element(w, &m, t->r->offset[lane], n))
			continue;
		c = &w->shared[w->first[m.site->array] + m.at].now;
		m.value = c->value;
		dataflow_read(w, &m, &c->from, c, product);
	}
}

/* Follows C[i][j] from shared memory in a box that TMA stores. */
static void store_result_box(struct dataflow *w, const struct schedule_step *t,
			     const struct schedule_step *from)
{
	uint32_t lane = w->p->thread % WARP_LANES;
	struct move m = bulk_move(w, from, lane);
	const struct trace_tile *box = &m.site->tile;
	const struct trace_tile *matrix = &w->info->sites[t->r->site].tile;
	uint32_t nth = (uint32_t)dataflow_stored_at(w, t->r, lane);
	uint32_t row = nth / matrix->columns + box->rows - matrix->rows;
	uint32_t col = nth % matrix->columns + box->columns - matrix->columns;
	const struct contents *c;

	if (!set_bulk_element(w, &m, from->r->offset[lane],
			      row * box->columns + col))
		return;
	c = &w->shared[w->first[m.site->array] + m.at].now;
	w->p->value = c->known ? c->value : NAN;
	w->p->sum = c->sum;
	w->p->way = (struct provenance_way){
		c->known, m.site->array, m.element, c->by, c->line,
		c->request, c->matrix };
}

void dataflow_bulk(struct dataflow *w, const struct schedule_step *t, bool ends)
{
	const struct trace_site *s = &w->info->sites[t->r->site];
	enum space space = w->info->arrays[s->array].space;
	bool global = space == SPACE_GLOBAL;
	/* A box wholly outside its matrix has no request there. */
	bool ends_there = s->op == OP_WGMMA || global == (s->op == OP_TMA_ST);
	bool second = ends_there && w->half.r && w->half.warp == t->warp &&
		      w->half.request + 1 == t->request &&
		      w->info->sites[w->half.r->site].op == s->op;
	const struct schedule_step *half = second ? &w->half : NULL;

	if (space == SPACE_REGISTER || (global && s->op == OP_WGMMA))
		return;
	if (s->op == OP_TMA_LD && !global && dataflow_comes_here(w, t))
		for (uint32_t lane = 0; lane < WARP_LANES; lane++)
			if (t->r->mask >> lane & 1)
				copy_box(w, t, half, lane);
	if (s->op == OP_TMA_ST && second && ends)
		store_result_box(w, t, half);
	/* The four warps of a group say the same. */
	if (s->op == OP_WGMMA && t->of->warp % 4 == 0 &&
	    t->of->block == w->p->block)
		record_operand(w, t, second ? half->time : t->time);
	w->half.r = NULL;
	if (!second) {
		w->half_request = *t->r;
		w->half = *t;
		w->half.r = &w->half_request;
	}
}
