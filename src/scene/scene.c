#include "scene/scene.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "provenance/provenance.h"

/* How far back a register's last value is looked for. */
#define LOOK_BACK 4096
/* Requests looked at for the boxes of a phase; beyond, the warp's own only. */
#define BOX_BUDGET 60000
/* Phases back that a tile may have been loaded in. */
#define EARLIER 2
/* Marks of an array at once; a box of TMA has 2^16 at most. */
#define MARKS_MOST (1u << 20)
/* How far from a warp's end its stores of results are looked for. */
#define TAIL 256

struct boxes { struct box block, thread; };

struct stage {
	struct trace *trace;
	const struct trace_info *info;
	struct source *source;
	struct scene scene;
	int on_stage[64];	/* trace array -> index in scene.arrays, or -1 */
	/* Where the boxes were worked out. */
	bool boxed;
	size_t box_warp;
	uint32_t box_phase, box_lane, box_request;
	bool boxes_leave;	/* TMA stores results: of more than one tile */
	struct boxes phase_box[STAGE_MAX_ARRAYS], result_box[STAGE_MAX_ARRAYS];
	/* Owners of the shared elements at the start of a phase. */
	bool owned;
	uint32_t owner_block, owner_phase;
	int32_t *owner_start[STAGE_MAX_ARRAYS];
	/* Registers of a lane, as they stand before request reg_next. */
	bool reg_valid;
	size_t reg_warp;
	uint32_t reg_lane, reg_next;
	/* Locals of a thread. */
	json_t *locals;
	size_t locals_warp;
	uint32_t locals_lane;
	/* Ordinals: accesses of ord_lane before request ord_next. */
	size_t ord_warp;
	uint32_t ord_lane, ord_next, ord_count;
};

static int find_matrix(const struct scene *sc, const char *name, int nth)
{
	int seen = 0;

	for (size_t i = 0; i < sc->array_count; i++)
		if (!strcmp(sc->arrays[i].array->name, name) &&
		    sc->arrays[i].array->space == SPACE_GLOBAL)
			return (int)i;
	for (size_t i = 0; i < sc->array_count; i++)
		if (sc->arrays[i].array->space == SPACE_GLOBAL &&
		    seen++ == nth)
			return (int)i;
	return -1;
}

static uint64_t rows_of(const struct trace_array *a)
{
	uint64_t rows = 1;

	for (uint32_t d = 0; d + 1 < a->rank; d++)
		rows *= a->dims[d];
	return rows;
}

/* The elements of a product, two in each register, if they are of 16 bits. */
static enum elem packed_elem(const struct trace_info *info,
			     const struct trace_array *a)
{
	const struct trace_array *first = &info->arrays[0];

	return a->space == SPACE_REGISTER && a->elem == ELEM_U32 &&
	       first->space == SPACE_GLOBAL &&
	       (first->elem == ELEM_F16 || first->elem == ELEM_BF16) ?
	       first->elem : a->elem;
}

static void put_on_stage(struct stage *s, uint32_t id)
{
	struct scene *sc = &s->scene;
	const struct trace_array *a = &s->info->arrays[id];
	uint32_t packed = packed_elem(s->info, a) != a->elem ? 2 : 1;
	uint64_t rows = rows_of(a), cols = a->dims[a->rank - 1] * packed;
	struct stage_array *sa;

	if (id >= LENGTH(s->on_stage) || sc->array_count == STAGE_MAX_ARRAYS ||
	    rows > INT32_MAX || cols > INT32_MAX)
		return;
	sa = &sc->arrays[sc->array_count];
	*sa = (struct stage_array){ .array = a, .id = id,
				    .rows = (uint32_t)rows,
				    .cols = (uint32_t)cols,
				    .packed = packed };
	if (a->space != SPACE_GLOBAL && rows * cols <= 1u << 20) {
		size_t n = rows * cols;

		if (a->space == SPACE_SHARED) {
			sa->owner = xcalloc(n, sizeof(*sa->owner));
			s->owner_start[sc->array_count] =
				xcalloc(n, sizeof(*sa->owner));
		} else {
			sa->value = xcalloc(n, sizeof(*sa->value));
		}
	}
	s->on_stage[id] = (int)sc->array_count++;
}

struct stage *stage_new(struct trace *t)
{
	struct stage *s = xcalloc(1, sizeof(*s));
	struct scene *sc = &s->scene;

	s->trace = t;
	s->info = sc->info = trace_info(t);
	sc->source = s->source = source_new(s->info);
	for (size_t i = 0; i < LENGTH(s->on_stage); i++)
		s->on_stage[i] = -1;
	for (uint32_t i = 0; i < s->info->array_count; i++)
		put_on_stage(s, i);
	for (size_t i = 0; i < s->info->site_count; i++)
		s->boxes_leave |= s->info->sites[i].op == OP_TMA_ST;
	sc->a = find_matrix(sc, "A", 0);
	sc->b = find_matrix(sc, "B", 1);
	sc->c = find_matrix(sc, "C", 2);
	s->ord_warp = SIZE_MAX;
	return s;
}

void stage_free(struct stage *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->scene.array_count; i++) {
		free(s->scene.arrays[i].marks);
		free(s->scene.arrays[i].owner);
		free(s->scene.arrays[i].value);
		free(s->owner_start[i]);
	}
	free(s->scene.sentence);
	free(s->scene.numbers);
	source_free(s->source);
	json_decref(s->locals);
	free(s);
}

struct trace *stage_trace(const struct stage *s)
{
	return s->trace;
}

static struct stage_array *staged(struct stage *s, uint32_t array)
{
	if (array >= LENGTH(s->on_stage) || s->on_stage[array] < 0)
		return NULL;
	return &s->scene.arrays[s->on_stage[array]];
}

static const struct trace_site *site_of(const struct stage *s, uint32_t site)
{
	return &s->info->sites[site];
}

/* Elements that lie side by side which a lane of this site touches at once; of
 * what is moved in bulk, the first. */
static uint32_t site_elements(const struct trace_site *site,
			      const struct trace_array *a)
{
	uint32_t n = site->bytes / a->elem_bytes;

	return n && !op_is_bulk(site->op) ? n : 1;
}

/* ---- marks: what is touched now, and the trail behind it ---- */

static void add_mark(struct stage_array *sa, uint64_t element, uint32_t lane,
		     uint8_t age, bool other)
{
	if (sa->mark_count >= MARKS_MOST)
		return;
	grow(&sa->marks, &sa->mark_capacity, sa->mark_count + 1,
	     sizeof(*sa->marks));
	sa->marks[sa->mark_count++] = (struct mark){
		.row = (uint32_t)(element / sa->cols),
		.col = (uint32_t)(element % sa->cols),
		.lane = (uint8_t)lane, .age = age, .other = other,
	};
}

/* Which of the lanes that have the same box or operand shows it. */
static bool shows_bulk(const struct trace_request *r, uint32_t focus,
		       uint32_t lane)
{
	uint32_t first = r->mask >> focus & 1 ? focus :
			 (uint32_t)__builtin_ctz(r->mask);

	return r->mask >> lane & 1 &&
	       (lane == first || r->offset[lane] != r->offset[first]);
}

static void add_bulk(const struct stage *s, struct stage_array *sa,
		     const struct trace_site *site,
		     const struct trace_request *r, uint8_t age, bool other)
{
	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		for (uint32_t n = 0; shows_bulk(r, s->scene.place.lane, lane) &&
		     n < trace_tile_elements(site); n++) {
			uint64_t at;

			if (trace_tile_at(s->info, site, r->offset[lane], n,
					  &at))
				add_mark(sa, at / sa->array->elem_bytes, lane,
					 age, other);
		}
}

static void add_marks(const struct stage *s, struct stage_array *sa,
		      const struct trace_request *r, uint8_t age, bool other)
{
	const struct trace_site *site = site_of(s, r->site);
	uint32_t n = site_elements(site, sa->array);

	if (op_is_bulk(site->op)) {
		add_bulk(s, sa, site, r, age, other);
		return;
	}
	/* Where lanes share an element, the first one is seen. */
	for (uint32_t lane = WARP_LANES; lane-- > 0;) {
		uint64_t first = r->offset[lane] / sa->array->elem_bytes *
				 sa->packed;

		if (!(r->mask >> lane & 1))
			continue;
		for (uint32_t i = 0; i < n * sa->packed; i++)
			add_mark(sa, first + i, lane, age, other);
	}
}

/* ---- in bulk: a box at both ends, operands and where they are from ---- */

/* The other one of the two requests that tell of the same box or product. */
static bool other_half(const struct stage *s, size_t warp, uint32_t request,
		       struct trace_request *r)
{
	const struct trace_warp *tw = trace_warp(s->trace, warp);
	uint32_t site, before = 0, at;
	bool global, first;
	enum op op;

	if (trace_get_site(s->trace, warp, request, &site, NULL))
		return false;
	op = site_of(s, site)->op;
	global = s->info->arrays[site_of(s, site)->array].space ==
		 SPACE_GLOBAL;
	while (before < request &&
	       !trace_get_site(s->trace, warp, request - before - 1, &site,
			       NULL) && site_of(s, site)->op == op)
		before++;
	first = op == OP_WGMMA ? before % 2 == 0 : global == (op == OP_TMA_LD);
	if (first ? request + 1 == tw->requests : request == 0)
		return false;
	at = first ? request + 1 : request - 1;
	return !trace_get(s->trace, warp, at, r, NULL) &&
	       site_of(s, r->site)->op == op &&
	       (op == OP_WGMMA ||
		(s->info->arrays[site_of(s, r->site)->array].space ==
		 SPACE_GLOBAL) != global);
}

/* The last phase of an mbarrier that the warp has waited for before a request,
 * or -1. */
static int64_t phase_waited(const struct stage *s, size_t warp,
			    uint32_t before, const struct trace_request *at)
{
	uint32_t array = site_of(s, at->site)->array, lane, site;
	uint64_t offset = at->offset[__builtin_ctz(at->mask)];
	struct trace_request r;

	while (before-- > 0) {
		if (trace_get_site(s->trace, warp, before, &site, NULL))
			return -1;
		if (site_of(s, site)->op != OP_MBAR_WAIT ||
		    site_of(s, site)->array != array ||
		    trace_get(s->trace, warp, before, &r, NULL))
			continue;
		lane = (uint32_t)__builtin_ctz(r.mask);
		if (r.offset[lane] == offset)
			return (int32_t)r.value[lane * 4];
	}
	return -1;
}

/* Elements of one shared array that wgmma reads, whose boxes are looked for. */
struct wanted {
	uint8_t *is;
	size_t left;
	const struct stage_array *array;
};

static void mark_box_of(struct stage *s, struct wanted *w,
			const struct trace_request *to,
			const struct trace_request *from)
{
	const struct trace_site *box = site_of(s, to->site);
	const struct trace_site *matrix = site_of(s, from->site);
	struct stage_array *sa = staged(s, matrix->array);
	uint32_t lane = (uint32_t)__builtin_ctz(to->mask), nth;
	uint64_t at;

	for (uint32_t n = 0; n < trace_tile_elements(box); n++) {
		if (!trace_tile_at(s->info, box, to->offset[lane], n, &at) ||
		    !w->is[at /= w->array->array->elem_bytes])
			continue;
		w->is[at] = 0;
		w->left--;
		if (sa && trace_tile_match(&box->tile, &matrix->tile, n,
					   &nth) &&
		    trace_tile_at(s->info, matrix, from->offset[lane], nth,
				  &at))
			add_mark(sa, at / sa->array->elem_bytes,
				 s->scene.place.lane, 0, false);
	}
	if (sa)
		sa->now = true;
}

/* The boxes that a warp has had brought, the last one first, as far as the
 * focused warp has waited for their mbarriers; those that the thread told last
 * to wait for bytes. */
static void mark_boxes_by(struct stage *s, struct wanted *w, size_t warp)
{
	struct trace_request arrival, to, from;
	uint32_t site, before;

	for (uint32_t i = trace_warp(s->trace, warp)->requests; w->left &&
	     i-- > 0; ) {
		if (trace_get_site(s->trace, warp, i, &site, NULL))
			return;
		if (site_of(s, site)->op != OP_TMA_LD ||
		    site_of(s, site)->array != w->array->id ||
		    trace_get(s->trace, warp, i, &to, NULL) ||
		    !other_half(s, warp, i, &from))
			continue;
		for (before = i; before > 0; before--)
			if (!trace_get_site(s->trace, warp, before - 1, &site,
					    NULL) &&
			    site_of(s, site)->op == OP_MBAR_ARRIVE)
				break;
		if (before == 0 ||
		    trace_get(s->trace, warp, before - 1, &arrival, NULL) ||
		    phase_waited(s, s->scene.place.warp,
				 s->scene.place.request, &arrival) <
		    arrival.value[4 * __builtin_ctz(arrival.mask)])
			continue;
		mark_box_of(s, w, &to, &from);
	}
}

/* Whether a warp has boxes brought, to this block too. */
static bool brings(const struct stage *s, size_t warp, uint32_t array)
{
	const struct trace_warp *tw = trace_warp(s->trace, warp);
	uint32_t site;

	for (uint32_t i = 0; i < tw->requests; i++)
		if (!trace_get_site(s->trace, warp, i, &site, NULL) &&
		    site_of(s, site)->op == OP_TMA_LD &&
		    site_of(s, site)->array == array)
			return tw->block == s->scene.warp.block ||
			       site_of(s, site)->tile.blocks;
	return false;
}

/* Where in A and B an operand of wgmma is from. */
static void mark_origin(struct stage *s, const struct trace_request *r)
{
	const struct trace_site *site = site_of(s, r->site);
	struct wanted w = { .array = staged(s, site->array) };
	uint32_t cluster = provenance_cluster(s->info);
	uint32_t lane = (uint32_t)__builtin_ctz(r->mask);
	uint64_t at;

	if (!w.array || !w.array->owner || !s->info->values)
		return;
	w.is = xcalloc((size_t)w.array->rows * w.array->cols, 1);
	for (uint32_t n = 0; n < trace_tile_elements(site); n++)
		if (trace_tile_at(s->info, site, r->offset[lane], n, &at)) {
			at /= w.array->array->elem_bytes;
			w.left += !w.is[at];
			w.is[at] = 1;
		}
	for (size_t i = 0; i < trace_warp_count(s->trace) && w.left; i++)
		if (trace_warp(s->trace, i)->block / cluster ==
		    s->scene.warp.block / cluster && brings(s, i, site->array))
			mark_boxes_by(s, &w, i);
	free(w.is);
}

/* What is moved in bulk is shown at both ends. */
static void mark_half(struct stage *s)
{
	struct scene *sc = &s->scene;
	struct trace_request r;
	struct stage_array *sa;

	if (other_half(s, sc->place.warp, sc->place.request, &r)) {
		sa = staged(s, site_of(s, r.site)->array);
		if (sa) {
			add_marks(s, sa, &r, 0, false);
			sa->now = true;
		}
		if (sc->site->op == OP_WGMMA)
			mark_origin(s, &r);
	}
	if (sc->site->op == OP_WGMMA)
		mark_origin(s, &sc->request);
}

/* The trail: older accesses first, so that newer ones are drawn over them. */
static void mark_trail(struct stage *s)
{
	struct scene *sc = &s->scene;
	uint32_t at[STAGE_MAX_ARRAYS][STAGE_TRAIL];
	uint32_t count[STAGE_MAX_ARRAYS] = {0};
	uint32_t low = sc->place.request > LOOK_BACK / 8 ?
		       sc->place.request - LOOK_BACK / 8 : 0;
	struct trace_request r;

	if (low < sc->phase_first)
		low = sc->phase_first;
	for (uint32_t i = sc->place.request; i-- > low;) {
		uint32_t site;
		struct stage_array *sa;
		size_t k;

		if (trace_get_site(s->trace, sc->place.warp, i, &site, NULL))
			return;
		sa = staged(s, site_of(s, site)->array);
		if (!sa || sa->array->space == SPACE_REGISTER)
			continue;
		k = (size_t)(sa - sc->arrays);
		if (count[k] < STAGE_TRAIL)
			at[k][count[k]++] = i;
	}
	for (size_t k = 0; k < sc->array_count; k++)
		for (uint32_t i = count[k]; i-- > 0;)
			if (!trace_get(s->trace, sc->place.warp, at[k][i], &r,
				       NULL))
				add_marks(s, &sc->arrays[k], &r,
					  (uint8_t)(i + 1), false);
}

/* The block's other warps, at the request with the same number. */
static void mark_others(struct stage *s)
{
	struct scene *sc = &s->scene;
	struct trace_request r;

	for (size_t w = 0; w < trace_warp_count(s->trace); w++) {
		const struct trace_warp *tw = trace_warp(s->trace, w);
		struct stage_array *sa;

		if (tw->block != sc->warp.block || w == sc->place.warp ||
		    sc->place.request >= tw->requests ||
		    trace_get(s->trace, w, sc->place.request, &r, NULL))
			continue;
		sa = staged(s, site_of(s, r.site)->array);
		if (sa && sa->array->space != SPACE_REGISTER)
			add_marks(s, sa, &r, 0, true);
	}
}

static void mark_all(struct stage *s)
{
	struct scene *sc = &s->scene;
	struct stage_array *sa;

	for (size_t i = 0; i < sc->array_count; i++) {
		sc->arrays[i].mark_count = 0;
		sc->arrays[i].now = false;
	}
	mark_trail(s);
	if (sc->place.all_warps)
		mark_others(s);
	sa = sc->site ? staged(s, sc->site->array) : NULL;
	if (sa) {
		add_marks(s, sa, &sc->request, 0, false);
		sa->now = true;
	}
	if (sc->site && op_is_bulk(sc->site->op))
		mark_half(s);
}

/* ---- boxes: what the block and the thread touch in a phase ---- */

static void box_add(struct box *b, uint32_t row, uint32_t col)
{
	if (!b->known)
		*b = (struct box){ true, row, col, row, col };
	b->row0 = MIN(b->row0, row);
	b->col0 = MIN(b->col0, col);
	b->row1 = MAX(b->row1, row);
	b->col1 = MAX(b->col1, col);
}

/* Of a box in a matrix, which begins with element `first`. */
static void box_bulk(const struct stage_array *sa, struct boxes *b,
		     const struct trace_tile *tile, uint64_t first, bool own)
{
	uint32_t row = (uint32_t)(first / sa->cols);
	uint32_t col = (uint32_t)(first % sa->cols);

	for (int end = 0; end < 2; end++) {
		box_add(&b->block, row, col);
		if (own)
			box_add(&b->thread, row, col);
		if (tile->rows) {
			row = MIN(row + tile->rows, sa->rows) - 1;
			col = MIN(col + tile->columns, sa->cols) - 1;
		}
	}
}

static void box_request(struct stage *s, struct boxes *boxes,
			const struct trace_request *r, bool own)
{
	const struct trace_site *site = site_of(s, r->site);
	struct stage_array *sa = staged(s, site->array);
	struct boxes *b;

	if (!sa)
		return;
	b = &boxes[sa - s->scene.arrays];
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		uint64_t first = r->offset[lane] / sa->array->elem_bytes;
		uint64_t last = first + site_elements(site, sa->array) - 1;

		if (!(r->mask >> lane & 1))
			continue;
		if (op_is_bulk(site->op)) {
			box_bulk(sa, b, &site->tile, first,
				 own && lane == s->scene.place.lane);
			continue;
		}
		for (uint64_t e = first; e <= last; e++) {
			uint32_t row = (uint32_t)(e / sa->cols);
			uint32_t col = (uint32_t)(e % sa->cols);

			box_add(&b->block, row, col);
			if (own && lane == s->scene.place.lane)
				box_add(&b->thread, row, col);
		}
	}
}

static bool boxed_site(const struct stage *s, uint32_t site, bool stores)
{
	const struct trace_site *ts = site_of(s, site);

	return ts->array != TRACE_NO_ARRAY &&
	       s->info->arrays[ts->array].space == SPACE_GLOBAL &&
	       (!stores || ts->op == OP_ST || ts->op == OP_TMA_ST);
}

static void box_range(struct stage *s, struct boxes *boxes, size_t warp,
		      uint32_t first, uint32_t end, bool stores)
{
	struct trace_request r;
	uint32_t site;

	for (uint32_t i = first; i < end; i++)
		if (!trace_get_site(s->trace, warp, i, &site, NULL) &&
		    boxed_site(s, site, stores) &&
		    !trace_get(s->trace, warp, i, &r, NULL))
			box_request(s, boxes, &r,
				    warp == s->scene.place.warp);
}

/* The phase's accesses of one warp, while there is budget for others. */
static void box_phase_of(struct stage *s, struct boxes *boxes, size_t warp,
			 uint32_t phase, uint32_t *budget)
{
	const struct trace_warp *tw = trace_warp(s->trace, warp);
	uint32_t first, end;

	if (phase >= tw->phases)
		return;
	first = trace_phase_start(s->trace, warp, phase);
	end = phase + 1 < tw->phases ?
	      trace_phase_start(s->trace, warp, phase + 1) : tw->requests;
	if (warp != s->scene.place.warp && end - first > *budget)
		return;
	box_range(s, boxes, warp, first, end, false);
	*budget -= MIN(*budget, end - first);
}

static void box_block(struct stage *s, struct boxes *boxes, uint32_t phase,
		      uint32_t *budget)
{
	for (size_t w = 0; w < trace_warp_count(s->trace); w++)
		if (trace_warp(s->trace, w)->block == s->scene.warp.block)
			box_phase_of(s, boxes, w, phase, budget);
}

/* The boxes of results that leave next, up to the next product. */
static void next_results(const struct stage *s, size_t warp, uint32_t *first,
			 uint32_t *end)
{
	bool found = false;
	uint32_t site;

	for (uint32_t i = s->scene.place.request; i < *end; i++) {
		enum op op;

		if (trace_get_site(s->trace, warp, i, &site, NULL))
			return;
		op = site_of(s, site)->op;
		if (op == OP_TMA_ST && !found) {
			found = true;
			*first = i;
		}
		if (op == OP_WGMMA && found)
			*end = i;
	}
}

static void box_results(struct stage *s)
{
	for (size_t w = 0; w < trace_warp_count(s->trace); w++) {
		const struct trace_warp *tw = trace_warp(s->trace, w);
		uint32_t end = tw->requests;
		uint32_t first = end > TAIL ? end - TAIL : 0;

		if (tw->block != s->scene.warp.block)
			continue;
		if (s->boxes_leave)
			next_results(s, w, &first, &end);
		box_range(s, s->result_box, w, first, end, true);
	}
}

/* A matrix that this phase does not touch, and that holds no results. */
static bool box_missing(const struct stage *s)
{
	for (size_t i = 0; i < s->scene.array_count; i++)
		if (s->scene.arrays[i].array->space == SPACE_GLOBAL &&
		    !s->phase_box[i].block.known &&
		    !s->result_box[i].block.known)
			return true;
	return false;
}

/* What this phase does not touch keeps the box of the last one that did:
 * the tile that is in shared memory now. */
static void box_earlier(struct stage *s, uint32_t *budget)
{
	struct boxes earlier[STAGE_MAX_ARRAYS];

	for (uint32_t back = 1; back <= EARLIER && back <= s->scene.phase &&
	     box_missing(s); back++) {
		memset(earlier, 0, sizeof(earlier));
		box_block(s, earlier, s->scene.phase - back, budget);
		for (size_t i = 0; i < s->scene.array_count; i++)
			if (!s->phase_box[i].block.known)
				s->phase_box[i] = earlier[i];
	}
}

static void box_all(struct stage *s)
{
	struct scene *sc = &s->scene;
	uint32_t budget = BOX_BUDGET;
	bool moved = !s->boxed || s->box_warp != sc->place.warp ||
		     s->box_lane != sc->place.lane;

	/* Results do not depend on the phase. */
	if (moved || (s->boxes_leave &&
		      s->box_request != sc->place.request)) {
		memset(s->result_box, 0, sizeof(s->result_box));
		box_results(s);
		s->box_request = sc->place.request;
	}
	if (moved || s->box_phase != sc->phase) {
		memset(s->phase_box, 0, sizeof(s->phase_box));
		box_block(s, s->phase_box, sc->phase, &budget);
		box_earlier(s, &budget);
		s->boxed = true;
		s->box_warp = sc->place.warp;
		s->box_phase = sc->phase;
		s->box_lane = sc->place.lane;
	}
	for (size_t i = 0; i < sc->array_count; i++) {
		struct boxes *b = &s->phase_box[i];

		/* Results are where the block works, whatever the phase. */
		if (s->result_box[i].block.known)
			b = &s->result_box[i];
		sc->arrays[i].block = b->block;
		sc->arrays[i].thread = b->thread;
	}
}

/* ---- shared memory: who stored each element ---- */

/* Row by row: chunks change places within a row of the box. */
static void own_bulk(const struct stage_array *sa, int32_t *owner,
		     const struct trace_tile *t, uint64_t offset,
		     int32_t thread)
{
	uint64_t end = (uint64_t)sa->rows * sa->cols;
	uint64_t width = (uint64_t)t->columns * t->bytes /
			 sa->array->elem_bytes;

	for (uint32_t row = 0; row < t->rows; row++) {
		uint64_t e = (offset + (uint64_t)row * t->pitch) /
			     sa->array->elem_bytes;

		for (uint64_t i = 0; i < width && e + i < end; i++)
			owner[e + i] = thread;
	}
}

static void own_range(struct stage *s, size_t warp, uint32_t first,
		      uint32_t end, bool start)
{
	const struct trace_warp *tw = trace_warp(s->trace, warp);
	struct trace_request r;
	uint32_t site;

	for (uint32_t i = first; i < end; i++) {
		const struct trace_site *ts;
		struct stage_array *sa;
		int32_t *owner;

		if (trace_get_site(s->trace, warp, i, &site, NULL))
			return;
		ts = site_of(s, site);
		sa = staged(s, ts->array);
		if (!sa || !sa->owner ||
		    (ts->op != OP_ST && ts->op != OP_TMA_LD) ||
		    trace_get(s->trace, warp, i, &r, NULL))
			continue;
		owner = start ? s->owner_start[sa - s->scene.arrays] :
				sa->owner;
		for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
			uint64_t e = r.offset[lane] / sa->array->elem_bytes;

			if (r.mask >> lane & 1 && ts->op == OP_TMA_LD)
				own_bulk(sa, owner, &ts->tile, r.offset[lane],
					 (int32_t)(tw->warp * WARP_LANES +
						   lane));
			for (uint32_t k = 0; r.mask >> lane & 1 &&
			     k < site_elements(ts, sa->array); k++)
				owner[e + k] = (int32_t)(tw->warp *
					       WARP_LANES + lane);
		}
	}
}

/* Stores of the phase before and everything older, for all the block. */
static void own_start(struct stage *s)
{
	struct scene *sc = &s->scene;

	if (s->owned && s->owner_block == sc->warp.block &&
	    s->owner_phase == sc->phase)
		return;
	for (size_t i = 0; i < sc->array_count; i++)
		if (sc->arrays[i].owner)
			memset(s->owner_start[i], -1,
			       (size_t)sc->arrays[i].rows *
			       sc->arrays[i].cols * sizeof(int32_t));
	for (size_t w = 0; w < trace_warp_count(s->trace); w++) {
		const struct trace_warp *tw = trace_warp(s->trace, w);
		/* Two phases back hold all that a load-compute cycle wrote. */
		uint32_t from = sc->phase > 2 ? sc->phase - 2 : 0;

		if (tw->block == sc->warp.block && sc->phase < tw->phases)
			own_range(s, w, trace_phase_start(s->trace, w, from),
				  trace_phase_start(s->trace, w, sc->phase),
				  true);
	}
	s->owned = true;
	s->owner_block = sc->warp.block;
	s->owner_phase = sc->phase;
}

static void own_all(struct stage *s)
{
	struct scene *sc = &s->scene;
	uint32_t done = sc->place.request + 1 - sc->phase_first;
	bool any = false;

	for (size_t i = 0; i < sc->array_count; i++)
		any |= sc->arrays[i].owner != NULL;
	if (!any)
		return;
	own_start(s);
	for (size_t i = 0; i < sc->array_count; i++)
		if (sc->arrays[i].owner)
			memcpy(sc->arrays[i].owner, s->owner_start[i],
			       (size_t)sc->arrays[i].rows *
			       sc->arrays[i].cols * sizeof(int32_t));
	for (size_t w = 0; w < trace_warp_count(s->trace); w++) {
		const struct trace_warp *tw = trace_warp(s->trace, w);
		uint32_t first, end;

		if (tw->block != sc->warp.block || sc->phase >= tw->phases)
			continue;
		first = trace_phase_start(s->trace, w, sc->phase);
		end = sc->phase + 1 < tw->phases ?
		      trace_phase_start(s->trace, w, sc->phase + 1) :
		      tw->requests;
		own_range(s, w, first, MIN(end, first + done), false);
	}
}

/* ---- registers of the focused lane ---- */

static void register_apply(struct stage *s, const struct trace_request *r)
{
	const struct trace_site *site = site_of(s, r->site);
	struct stage_array *sa = staged(s, site->array);
	uint32_t lane = s->scene.place.lane, bytes;
	uint64_t e;

	if (!sa || !sa->value || !(r->mask >> lane & 1))
		return;
	bytes = sa->array->elem_bytes / sa->packed;
	e = r->offset[lane] / bytes;
	for (uint32_t i = 0; i < site_elements(site, sa->array) * sa->packed;
	     i++) {
		struct cell_value *v = &sa->value[e + i];

		v->known = s->info->values &&
			   element_value(packed_elem(s->info, sa->array),
					 &r->value[lane * 4], i * bytes,
					 &v->v);
	}
}

static void register_forget(struct scene *sc)
{
	for (size_t i = 0; i < sc->array_count; i++)
		if (sc->arrays[i].value)
			memset(sc->arrays[i].value, 0,
			       (size_t)sc->arrays[i].rows *
			       sc->arrays[i].cols *
			       sizeof(*sc->arrays[i].value));
}

static void registers_all(struct stage *s)
{
	struct scene *sc = &s->scene;
	uint32_t end = sc->place.request + 1;
	bool any = false;
	struct trace_request r;
	uint32_t site;

	for (size_t i = 0; i < sc->array_count; i++)
		any |= sc->arrays[i].value != NULL;
	if (!any)
		return;
	if (!s->reg_valid || s->reg_warp != sc->place.warp ||
	    s->reg_lane != sc->place.lane || s->reg_next > end ||
	    end - s->reg_next > LOOK_BACK) {
		register_forget(sc);
		s->reg_next = end > LOOK_BACK ? end - LOOK_BACK : 0;
	}
	for (uint32_t i = s->reg_next; i < end; i++) {
		const struct trace_array *a;

		if (trace_get_site(s->trace, sc->place.warp, i, &site, NULL))
			break;
		if (site_of(s, site)->array == TRACE_NO_ARRAY)
			continue;
		a = &s->info->arrays[site_of(s, site)->array];
		if (a->space == SPACE_REGISTER &&
		    !trace_get(s->trace, sc->place.warp, i, &r, NULL))
			register_apply(s, &r);
	}
	s->reg_valid = true;
	s->reg_warp = sc->place.warp;
	s->reg_lane = sc->place.lane;
	s->reg_next = end;
}

/* ---- locals, and the source line with numbers in it ---- */

uint32_t stage_ordinal(struct stage *s, size_t warp, uint32_t request,
		       uint32_t lane)
{
	struct trace_request r;

	if (s->ord_warp != warp || s->ord_lane != lane ||
	    s->ord_next > request) {
		s->ord_warp = warp;
		s->ord_lane = lane;
		s->ord_next = s->ord_count = 0;
	}
	for (; s->ord_next < request; s->ord_next++)
		if (!trace_get(s->trace, warp, s->ord_next, &r, NULL))
			s->ord_count += r.mask >> lane & 1;
	return s->ord_count;
}

void stage_locals(struct stage *s, size_t warp, uint32_t lane,
		  const void *message)
{
	json_decref(s->locals);
	s->locals = message ? json_incref((json_t *)(uintptr_t)message) : NULL;
	s->locals_warp = warp;
	s->locals_lane = lane;
}

/* The row of locals for the place, or NULL. */
static json_t *locals_row(const struct stage *s, const struct place *p)
{
	json_int_t first;
	uint32_t ordinal;

	if (!s->locals || s->locals_warp != p->warp ||
	    s->locals_lane != p->lane)
		return NULL;
	first = json_integer_value(json_object_get(s->locals, "first"));
	ordinal = stage_ordinal((struct stage *)(uintptr_t)s, p->warp,
				p->request, p->lane);
	if (ordinal < first)
		return NULL;
	return json_array_get(json_object_get(s->locals, "rows"),
			      (size_t)(ordinal - first));
}

bool stage_wants_locals(const struct stage *s, const struct place *p)
{
	const struct trace_warp *tw;

	if (p->warp >= trace_warp_count(s->trace) || s->info->partial)
		return false;
	tw = trace_warp(s->trace, p->warp);
	return p->request < tw->requests && !locals_row(s, p);
}

static bool lookup_dim(const char *name, const char *base,
		       struct trace_dim d, int64_t *v)
{
	size_t n = strlen(base);

	if (strncmp(name, base, n) || name[n] != '.' || !name[n + 1] ||
	    name[n + 2])
		return false;
	switch (name[n + 1]) {
	case 'x': *v = d.x; return true;
	case 'y': *v = d.y; return true;
	case 'z': *v = d.z; return true;
	default: return false;
	}
}

static bool lookup_name(void *ctx, const char *name, int64_t *v)
{
	struct stage *s = ctx;
	const struct scene *sc = &s->scene;
	json_t *row = locals_row(s, &sc->place), *names, *cell;
	size_t i;

	if (lookup_dim(name, "threadIdx", sc->thread, v) ||
	    lookup_dim(name, "blockIdx", sc->block, v) ||
	    lookup_dim(name, "blockDim", s->info->block, v) ||
	    lookup_dim(name, "gridDim", s->info->grid, v))
		return true;
	names = s->locals ? json_object_get(s->locals, "names") : NULL;
	json_array_foreach(names, i, cell) {
		json_t *x = json_array_get(row, i);

		if (!row || strcmp(json_string_value(cell) ?
				   json_string_value(cell) : "", name))
			continue;
		if (!json_is_integer(x))
			continue;	/* an inner scope may have it */
		*v = json_integer_value(x);
		return true;
	}
	return false;
}

/* Do the numbers in the line give the element that was recorded? */
static bool numbers_agree(const struct scene *sc, const int64_t *values,
			  size_t count)
{
	const struct trace_array *a = sc->array;
	uint64_t index[TRACE_MAX_RANK], offset;
	int64_t at = 0;

	offset = sc->request.offset[sc->place.lane];
	if (!count)
		return false;
	if (count == a->rank && array_coords(a, offset, index)) {
		for (size_t i = 0; i < count; i++)
			if (values[i] != (int64_t)index[i])
				return false;
		return true;
	}
	at = values[0];
	return count == 1 && at == (int64_t)(offset / a->elem_bytes);
}

static void explain_line(struct stage *s)
{
	struct scene *sc = &s->scene;
	int64_t values[TRACE_MAX_RANK];
	size_t count;

	sc->has_span = false;
	sc->numbers_agree = sc->flat = false;
	sc->element[0] = 0;
	free(sc->numbers);
	sc->numbers = NULL;
	if (!sc->array)
		return;
	sc->has_span = source_subscript(s->source, s->info, sc->site,
					&sc->span);
	if (!sc->lane_active)
		return;
	array_element(sc->array, sc->request.offset[sc->place.lane],
		      site_elements(sc->site, sc->array) *
		      sc->array->elem_bytes, sc->element,
		      sizeof(sc->element));
	if (!sc->has_span)
		return;
	sc->numbers = source_numbers(s->source, &sc->span, lookup_name, s,
				     values, &count);
	sc->numbers_agree = numbers_agree(sc, values, count);
	sc->index = sc->request.offset[sc->place.lane] /
		    sc->array->elem_bytes;
	sc->flat = sc->numbers_agree && count == 1 && sc->array->rank == 2 &&
		   sc->array->space == SPACE_GLOBAL;
	sc->row = sc->index / sc->array->dims[sc->array->rank - 1];
	sc->col = sc->index % sc->array->dims[sc->array->rank - 1];
}

/* ---- the scene ---- */

bool scene_has(const struct scene *sc, enum space space)
{
	for (size_t i = 0; i < sc->array_count; i++)
		if (sc->arrays[i].array->space == space)
			return true;
	return false;
}

static void find_elements(struct scene *sc)
{
	uint32_t bytes = sc->array->elem_bytes;
	uint32_t n = site_elements(sc->site, sc->array);

	sc->element_count = 0;
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		for (uint32_t i = 0; sc->request.mask >> lane & 1 && i < n &&
		     n <= 4; i++) {
			uint64_t e = sc->request.offset[lane] / bytes + i;
			size_t k = sc->element_count;

			while (k && sc->elements[k - 1].element > e)
				k--;
			if (k && sc->elements[k - 1].element == e) {
				sc->elements[k - 1].lanes |= 1u << lane;
				continue;
			}
			memmove(&sc->elements[k + 1], &sc->elements[k],
				(sc->element_count - k) *
				sizeof(sc->elements[0]));
			sc->elements[k].element = e;
			sc->elements[k].lanes = 1u << lane;
			sc->element_count++;
		}
	}
}

static uint32_t find_focus(const struct scene *sc)
{
	const struct place *p = &sc->place;
	uint32_t lanes = 0;

	switch (p->focus) {
	case FOCUS_LANE:
		return 1u << p->lane;
	case FOCUS_SECTOR:
		if ((size_t)p->focus_index < sc->sector_count)
			lanes = sc->sectors[p->focus_index].lanes;
		break;
	case FOCUS_BANK:
		for (size_t i = 0; i < sc->word_count; i++)
			if (sc->words[i].bank == p->focus_index)
				lanes |= sc->words[i].lanes;
		break;
	case FOCUS_ELEMENT:
		if ((size_t)p->focus_index < sc->element_count)
			lanes = sc->elements[p->focus_index].lanes;
		break;
	}
	return lanes;
}

static void find_value(struct scene *sc)
{
	const uint32_t *words = &sc->request.value[sc->place.lane * 4];
	enum elem elem = sc->array ? packed_elem(sc->info, sc->array) :
				     ELEM_RAW;

	sc->has_value = sc->info->values && sc->lane_active && sc->array &&
			op_is_access(sc->site->op) &&
			element_value(elem, words, 0, &sc->value);
	sc->has_second = sc->has_value && elem != sc->array->elem &&
			 element_value(elem, words, 2, &sc->second);
}

static void find_costs(struct scene *sc)
{
	sc->sector_count = sc->word_count = sc->element_count = 0;
	sc->word_phases = 0;
	sc->costs = access_of(sc->info, &sc->request, &sc->access) &&
		    !access_cost(&sc->access, &sc->cost, NULL);
	pattern_find(sc->info, &sc->request, &sc->pattern);
	if (sc->costs && sc->access.space == ACCESS_GLOBAL)
		sc->sector_count = access_sectors(&sc->access, sc->sectors);
	else if (sc->costs)
		sc->word_count = access_words(&sc->access, sc->words,
					      &sc->word_phases);
	if (sc->array)
		find_elements(sc);
}

static void find_place(struct stage *s)
{
	struct scene *sc = &s->scene;
	struct place *p = &sc->place;

	sc->warp = *trace_warp(s->trace, p->warp);
	sc->block = dim_of(s->info->grid, sc->warp.block);
	sc->thread_linear = sc->warp.warp * WARP_LANES + p->lane;
	sc->thread = dim_of(s->info->block, sc->thread_linear);
	sc->phases = sc->warp.phases;
	sc->phase = trace_phase_of(s->trace, p->warp, p->request);
	sc->phase_first = trace_phase_start(s->trace, p->warp, sc->phase);
	sc->phase_last = sc->phase + 1 < sc->phases ?
		trace_phase_start(s->trace, p->warp, sc->phase + 1) - 1 :
		sc->warp.requests - 1;
	for (uint32_t i = 0; i < MIN(sc->phases, LENGTH(sc->phase_starts)); i++)
		sc->phase_starts[i] =
			trace_phase_start(s->trace, p->warp, i);
}

const struct scene *stage_scene(struct stage *s, const struct place *p)
{
	struct scene *sc = &s->scene;

	sc->place = *p;
	sc->site = NULL;
	sc->array = NULL;
	sc->costs = false;
	sc->error.text[0] = 0;
	free(sc->sentence);
	sc->sentence = NULL;
	place_clamp(s, &sc->place);
	if (sc->place.warp >= trace_warp_count(s->trace) ||
	    !trace_warp(s->trace, sc->place.warp)->requests)
		return sc;
	find_place(s);
	if (trace_get(s->trace, sc->place.warp, sc->place.request,
		      &sc->request, &sc->error))
		return sc;
	sc->site = site_of(s, sc->request.site);
	if (sc->site->array != TRACE_NO_ARRAY)
		sc->array = &s->info->arrays[sc->site->array];
	sc->lane_active = sc->request.mask >> sc->place.lane & 1;
	find_costs(sc);
	sc->focus_lanes = find_focus(sc);
	find_value(sc);
	scene_fragment(sc);
	sc->sentence = pattern_sentence(s->info, &sc->request);
	mark_all(s);
	box_all(s);
	own_all(s);
	registers_all(s);
	explain_line(s);
	return sc;
}
