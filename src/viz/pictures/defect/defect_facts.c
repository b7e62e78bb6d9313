/* defect_facts: computes what a finding looks like, from the trace. */
#include "viz/pictures/defect/defect_facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "scene/stage.h"
#include "trace/finding.h"

/* The most products that are multiplied to find wrong elements of a result. */
#define PRODUCTS (UINT64_C(1) << 22)

static void free_facts(void *state)
{
	struct defect_facts *f = state;

	free(f->marks);
}

static void forget_facts(struct scene *sc)
{
	sc->facts = NULL;
}

static const struct stage_part facts_part = {
	.bytes = sizeof(struct defect_facts),
	.done = free_facts,
	.forget = forget_facts,
};

/* ---- requests of a block ---- */

/* Requests of a site, warp after warp: of the block `block` in its phase
 * `phase`, or in all (-1). */
struct site_walk {
	struct stage *s;
	long site, block, phase;
	size_t warp;
	uint32_t at, end;
	bool begun;
	struct trace_request r;
};

/* Moves to the first warp from w->warp on that is of the block. Returns false
 * if there is none. */
static bool seek_walk_warp(struct site_walk *w)
{
	struct trace *t = w->s->trace;

	for (; w->warp < trace_warp_count(t); w->warp++) {
		const struct trace_warp *tw = trace_warp(t, w->warp);

		if ((w->block >= 0 && tw->block != (uint32_t)w->block) ||
		    (w->phase >= 0 && (uint32_t)w->phase >= tw->phases))
			continue;
		w->at = w->phase < 0 ? 0 :
			trace_phase_start(t, w->warp, (uint32_t)w->phase);
		w->end = w->phase < 0 || w->phase + 1 >= (long)tw->phases ?
			 tw->requests :
			 trace_phase_start(t, w->warp, (uint32_t)w->phase + 1);
		return true;
	}
	return false;
}

/* Reads the next request of the site into w->r; false: there is none. */
static bool next_request(struct site_walk *w)
{
	uint32_t site;

	if (!w->begun && !seek_walk_warp(w))
		return false;
	w->begun = true;
	for (;;) {
		for (; w->at < w->end; w->at++) {
			if (trace_get_site(w->s->trace, w->warp, w->at, &site,
					   NULL) ||
			    site != (uint32_t)w->site)
				continue;
			if (trace_get(w->s->trace, w->warp, w->at++, &w->r,
				      NULL))
				return false;
			return true;
		}
		w->warp++;
		if (!seek_walk_warp(w))
			return false;
	}
}

/* Returns the linear thread of a lane of the walk's warp. */
static uint32_t walk_thread(const struct site_walk *w, uint32_t lane)
{
	return trace_warp(w->s->trace, w->warp)->warp * WARP_LANES + lane;
}

/* ---- a block's tile ---- */

/* Returns the first site of this array, op and line (0: any), or -1. */
static long find_site(const struct stage *s, uint32_t array, enum op op,
		      uint32_t line)
{
	for (size_t i = 0; i < s->info->site_count; i++) {
		const struct trace_site *site = stage_site(s, (uint32_t)i);

		if (site->array == array && site->op == op &&
		    (!line || site->line == line))
			return (long)i;
	}
	return -1;
}

/* Notes what a lane accesses. Returns false if it does not fit the tile. */
static bool fit_lane(struct defect_tile *t, const struct site_walk *w,
		     uint32_t lane, bool *first)
{
	struct trace_dim b = w->s->info->block;
	struct trace_dim at = dim_of(b, walk_thread(w, lane));
	int64_t cols = (int64_t)t->array->dims[1];
	int64_t base = (int64_t)(w->r.offset[lane] / t->array->elem_bytes) -
		       at.x - (int64_t)at.y * cols;

	if (*first) {
		t->row = base / cols;
		t->col = base % cols;
		*first = false;
	}
	if (base < 0 || base != t->row * cols + t->col)
		return false;
	t->has[at.y][at.x] =
		t->col + at.x >= cols && w->s->info->values &&
		element_value(t->array->elem, &w->r.value[lane * 4], 0,
			      &t->value[at.y][at.x]);
	return true;
}

/* Finds the tile that a block accesses at a site, one element a thread, in a
 * phase (-1: in any). Without such a tile t->array is NULL. */
static void fit_block_tile(struct stage *s, long site, uint32_t block, long phase,
		      struct defect_tile *t)
{
	struct site_walk w = { .s = s, .site = site, .block = block,
			       .phase = phase };
	const struct trace_site *ts = site < 0 ? NULL :
				      stage_site(s, (uint32_t)site);
	const struct trace_array *a = ts ? &s->info->arrays[ts->array] : NULL;
	struct trace_dim b = s->info->block;
	bool first = true;

	*t = (struct defect_tile){0};
	if (!a || a->rank != 2 || ts->bytes != a->elem_bytes || b.z > 1 ||
	    b.x < 2 || b.y < 2 || b.x > DEFECT_SIDE || b.y > DEFECT_SIDE)
		return;
	t->array = a;
	t->line = ts->line;
	t->rows = b.y;
	t->cols = b.x;
	while (next_request(&w))
		for (uint32_t lane = 0; lane < WARP_LANES; lane++)
			if (w.r.mask >> lane & 1 &&
			    !fit_lane(t, &w, lane, &first)) {
				t->array = NULL;
				return;
			}
	if (first)
		t->array = NULL;
	t->below = (uint32_t)MAX(0, MIN(b.y, t->row + b.y -
					     (int64_t)a->dims[0]));
	t->right = (uint32_t)MAX(0, MIN(b.x, t->col + b.x -
					     (int64_t)a->dims[1]));
}

/* Finds the site at which a finding's access was. */
static long find_access_site(const struct stage *s,
			     const struct trace_finding *f)
{
	return f->array == TRACE_NO_ARRAY ? -1 :
	       find_site(s, f->array, f->access.op, f->access.line);
}

/* Finds the tile of the finding, and another of the block that hangs over. */
static void fit_block_tiles(struct stage *s, struct defect_facts *f)
{
	const struct defect *d = &s->scene.defect;
	const struct scene *sc = &s->scene;
	long phase = d->access.found ? (long)d->access.phase : -1;
	uint32_t block = d->access.block;

	if (d->finding->kind == FINDING_BARRIER && sc->c >= 0)
		fit_block_tile(s, find_site(s, sc->arrays[sc->c].id, OP_ST, 0),
			  block, -1, &f->tile);
	else if (d->array && d->array->space == SPACE_GLOBAL &&
		 d->finding->kind == FINDING_OUT_OF_BOUNDS)
		fit_block_tile(s, find_access_site(s, d->finding), block, phase,
			  &f->tile);
	if (!f->tile.array || d->finding->kind != FINDING_OUT_OF_BOUNDS)
		return;
	for (size_t i = 0; i < s->info->site_count; i++) {
		const struct trace_site *site = stage_site(s, (uint32_t)i);

		if (site->op != OP_LD || site->array == TRACE_NO_ARRAY ||
		    s->info->arrays[site->array].space != SPACE_GLOBAL ||
		    &s->info->arrays[site->array] == f->tile.array)
			continue;
		fit_block_tile(s, (long)i, block, phase, &f->second);
		if (f->second.array && f->second.below + f->second.right)
			return;
	}
	f->second.array = NULL;
}

/* ---- the barrier ---- */

/* Returns the finding of a barrier that not all threads of this block come to,
 * or NULL. */
static const struct trace_finding *find_barrier(const struct stage *s,
						uint32_t block)
{
	for (size_t i = 0; i < findings_before_notes(s->info); i++) {
		const struct trace_finding *f = &s->info->findings[i];

		if (f->cause == CAUSE_BARRIER_ENDED &&
		    f->access.block == block)
			return f;
	}
	return NULL;
}

/* Returns the line of the barrier that ends a phase of a block, for the first
 * warp that comes there; 0: none does. */
static uint32_t find_barrier_line(struct stage *s, uint32_t block,
				  uint32_t phase)
{
	uint32_t site;

	for (size_t w = 0; w < trace_warp_count(s->trace); w++) {
		const struct trace_warp *tw = trace_warp(s->trace, w);

		if (tw->block == block && phase + 1 < tw->phases &&
		    !trace_get_site(s->trace, w,
				    trace_phase_start(s->trace, w, phase + 1) -
					    1, &site, NULL))
			return stage_site(s, site)->line;
	}
	return 0;
}

/* Finds out who comes to the barrier after the finding. */
static void find_meeting(struct stage *s, struct defect_facts *f)
{
	const struct defect *d = &s->scene.defect;
	struct defect_meeting *m = &f->meeting;
	const struct trace_finding *b = d->finding->cause ==
		CAUSE_BARRIER_ENDED ? d->finding :
		find_barrier(s, d->access.block);
	uint32_t phase = d->access.phase;

	m->threads = s->info->block.x * s->info->block.y * s->info->block.z;
	if (d->finding->kind != FINDING_OUT_OF_BOUNDS && !b)
		return;
	if (!d->access.found || m->threads > DEFECT_SIDE * WARP_LANES)
		return;
	m->line = find_barrier_line(s, d->access.block, phase);
	for (uint32_t w = 0; m->line && w * WARP_LANES < m->threads; w++) {
		long at = trace_find_warp(s->trace, d->access.block, w);
		struct trace_request r;

		if (at < 0 || phase + 1 >= trace_warp(s->trace,
						      (size_t)at)->phases ||
		    trace_get(s->trace, (size_t)at,
			      trace_phase_start(s->trace, (size_t)at,
						phase + 1) - 1, &r, NULL))
			continue;
		m->lanes[w] = r.mask;
		m->come += (uint32_t)__builtin_popcount(r.mask);
	}
	m->known = m->come && m->come < m->threads;
}

/* ---- which elements ---- */

static bool has_line(const struct trace_site *site,
		     const struct trace_finding *f,
		     const struct finding_access *a)
{
	return site->array == f->array && site->op == a->op &&
	       site->line == a->line;
}

/* Notes for each element of the array which threads access it at the site:
 * 0 none, -1 several, else one's number + 1. */
static void note_threads(struct stage *s, long site, long block, long phase,
			 int64_t *threads, size_t count)
{
	struct site_walk w = { .s = s, .site = site, .block = block,
			       .phase = phase };
	uint32_t bytes = s->info->arrays[stage_site(s, (uint32_t)site)->array]
				 .elem_bytes;
	uint32_t each = MAX(stage_site(s, (uint32_t)site)->bytes / bytes, 1);

	while (next_request(&w))
		for (uint32_t lane = 0; lane < WARP_LANES; lane++)
			for (uint32_t i = 0; w.r.mask >> lane & 1 && i < each;
			     i++) {
				uint64_t e = w.r.offset[lane] / bytes + i;
				int64_t me = (int64_t)walk_thread(&w, lane) +
					     1;

				if (e < count)
					threads[e] = !threads[e] ||
						     threads[e] == me ? me : -1;
			}
}

/* Marks the elements that threads access at both lines of a race, not all of
 * them the same thread. */
static void mark_races(struct stage *s, struct defect_facts *f)
{
	const struct defect *d = &s->scene.defect;
	size_t count = (size_t)f->rows * f->cols;
	int64_t *one = xcalloc(count, sizeof(*one));
	int64_t *two = xcalloc(count, sizeof(*two));

	for (size_t i = 0; i < s->info->site_count; i++) {
		const struct trace_site *site = stage_site(s, (uint32_t)i);

		if (has_line(site, d->finding, &d->finding->access))
			note_threads(s, (long)i, d->access.block,
				     d->access.phase, one, count);
		if (has_line(site, d->finding, &d->finding->other))
			note_threads(s, (long)i, d->access.block,
				     d->access.phase, two, count);
	}
	for (size_t e = 0; e < count; e++)
		f->marks[e] = one[e] && two[e] &&
			      (one[e] != two[e] || one[e] < 0);
	free(one);
	free(two);
}

/* Marks the elements whose reads at the finding's line found nothing stored. */
static void mark_unwritten(struct stage *s, struct defect_facts *f)
{
	const struct defect *d = &s->scene.defect;
	struct site_walk w = { .s = s, .site = find_access_site(s, d->finding),
			       .block = d->access.block,
			       .phase = d->access.phase };
	double v;

	while (w.site >= 0 && next_request(&w))
		for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
			uint64_t e = w.r.offset[lane] / d->array->elem_bytes;

			if (w.r.mask >> lane & 1 &&
			    e < (uint64_t)f->rows * f->cols &&
			    element_value(d->array->elem,
					  &w.r.value[lane * 4], 0, &v) &&
			    isnan(v))
				f->marks[e] = true;
		}
}

/* Gets what is stored last to each element of an array; NaN: nothing. */
static double *find_stored(struct stage *s, uint32_t array, size_t count)
{
	const struct trace_array *a = &s->info->arrays[array];
	double *stored = xcalloc(count, sizeof(*stored));

	for (size_t e = 0; e < count; e++)
		stored[e] = NAN;
	for (size_t i = 0; i < s->info->site_count; i++) {
		const struct trace_site *site = stage_site(s, (uint32_t)i);
		struct site_walk w = { .s = s, .site = (long)i, .block = -1,
				       .phase = -1 };

		if (site->array != array || site->op != OP_ST)
			continue;
		while (next_request(&w))
			for (uint32_t k = 0; k < WARP_LANES * 4; k++) {
				uint32_t lane = k / 4, at = k % 4;
				uint64_t e = w.r.offset[lane] / a->elem_bytes +
					     at;

				if (w.r.mask >> lane & 1 && e < count &&
				    (at + 1) * a->elem_bytes <= site->bytes &&
				    !element_value(a->elem,
						   &w.r.value[lane * 4],
						   at * a->elem_bytes,
						   &stored[e]))
					stored[e] = 0;
			}
	}
	return stored;
}

/* Returns what the product's element should be. */
static double expected_sum(const struct trace_info *i, uint64_t row,
			   uint64_t col)
{
	double sum = 0;

	for (uint64_t k = 0; k < i->k; k++)
		sum += recorded_input(i, 0, row * i->k + k) *
		       recorded_input(i, 1, k * i->n + col);
	return sum;
}

/* Marks the wrong elements of a result: those that are NaN or were never
 * stored, and of a product also those with another value. */
static void mark_wrong(struct stage *s, struct defect_facts *f)
{
	const struct scene *sc = &s->scene;
	const struct trace_finding *of = sc->defect.finding;
	size_t count = (size_t)f->rows * f->cols;
	double *stored = find_stored(s, of->array, count);
	bool product = sc->product && sc->c >= 0 && sc->a >= 0 && sc->b >= 0 &&
		       sc->input[sc->a] == 0 && sc->input[sc->b] == 1 &&
		       sc->arrays[sc->c].array == sc->defect.array &&
		       (uint64_t)count * s->info->k <= PRODUCTS;

	for (size_t e = 0; e < count; e++)
		f->marks[e] = isnan(stored[e]) ||
			      (product &&
			       stored[e] != expected_sum(s->info, e / f->cols,
							 e % f->cols));
	free(stored);
}

static void find_marks(struct stage *s, struct defect_facts *f)
{
	const struct defect *d = &s->scene.defect;
	const struct stage_array *a = d->array ?
				      stage_array_at(s, d->finding->array) :
				      NULL;

	if (!a || !a->rows || !a->cols || f->tile.array ||
	    d->finding->kind == FINDING_OUT_OF_BOUNDS)
		return;
	f->rows = a->rows;
	f->cols = a->cols;
	f->marks = xcalloc((size_t)f->rows * f->cols, sizeof(*f->marks));
	if (d->finding->kind == FINDING_RESULT)
		mark_wrong(s, f);
	else if (d->finding->kind == FINDING_RACE && d->access.found)
		mark_races(s, f);
	else if (d->finding->kind == FINDING_READ_BEFORE_WRITE &&
		 d->access.found && s->info->values)
		mark_unwritten(s, f);
	if (!d->outside && d->row >= 0 && d->row < f->rows && d->col >= 0 &&
	    d->col < f->cols)
		f->marks[d->row * f->cols + d->col] = true;
	for (size_t e = 0; e < (size_t)f->rows * f->cols; e++)
		f->marked += f->marks[e];
}

/* ---- how much ---- */

static void append_count(struct defect_facts *f, struct defect_count n)
{
	if (!n.n || f->count_count == DEFECT_COUNTS)
		return;
	f->counts[f->count_count++] = n;
	f->most = MAX(f->most, MAX(n.n, n.of));
}

static void add_finding_count(const struct stage *s, struct defect_facts *f,
			      const struct trace_finding *of)
{
	struct trace_dim g = s->info->grid, b = s->info->block;
	uint64_t threads = (uint64_t)g.x * g.y * g.z * b.x * b.y * b.z;
	struct defect_count n = { .finding = of, .n = of->count };

	if (of->array != TRACE_NO_ARRAY)
		n.array = &s->info->arrays[of->array];
	if (of->kind == FINDING_RESULT && finding_numbers(of->cause) >= 2) {
		n.n = of->number[0];
		n.of = of->number[1];
	} else if (of->kind == FINDING_OUT_OF_BOUNDS && n.n <= threads) {
		n.of = threads;
	}
	append_count(f, n);
}

/* Counts the threads that read the next row instead of what the tile has
 * beyond the right edge. */
static void count_next_row(struct stage *s, struct defect_facts *f,
			   const struct defect_tile *t)
{
	long site = t->array ? find_site(s, (uint32_t)(t->array -
						       s->info->arrays),
					 OP_LD, t->line) : -1;
	struct site_walk w = { .s = s, .site = site, .block = -1,
			       .phase = -1 };
	struct trace_dim b = s->info->block, g = s->info->grid;
	uint64_t n = 0;

	while (site >= 0 && t->right && next_request(&w)) {
		uint64_t cols = t->array->dims[1], base = 0;
		uint32_t lane = 0;

		while (!(w.r.mask >> lane & 1))
			lane++;
		base = w.r.offset[lane] / t->array->elem_bytes -
		       dim_of(b, walk_thread(&w, lane)).x;
		for (; lane < WARP_LANES; lane++)
			n += w.r.mask >> lane & 1 &&
			     base % cols + dim_of(b, walk_thread(&w, lane)).x >=
				     cols;
	}
	append_count(f, (struct defect_count){
		.kind = COUNT_NEXT_ROW, .array = t->array, .n = n,
		.of = (uint64_t)g.x * g.y * b.x * b.y });
}

/* Counts the elements of C that nobody stored, unless a finding of the result
 * counts what is wrong. */
static void count_unstored(struct stage *s, struct defect_facts *f)
{
	const struct scene *sc = &s->scene;
	size_t count;
	double *stored;
	uint64_t n = 0;

	for (size_t i = 0; i < findings_before_notes(s->info); i++)
		if (s->info->findings[i].kind == FINDING_RESULT)
			return;
	if (!sc->product || sc->c < 0 || !s->info->values)
		return;
	count = (size_t)sc->arrays[sc->c].rows * sc->arrays[sc->c].cols;
	stored = find_stored(s, sc->arrays[sc->c].id, count);
	for (size_t e = 0; e < count; e++)
		n += isnan(stored[e]);
	free(stored);
	append_count(f, (struct defect_count){
		.kind = COUNT_UNSTORED, .array = sc->arrays[sc->c].array,
		.n = n, .of = count });
}

static void find_counts(struct stage *s, struct defect_facts *f)
{
	const struct defect *d = &s->scene.defect;

	add_finding_count(s, f, d->finding);
	count_next_row(s, f, &f->tile);
	count_next_row(s, f, &f->second);
	for (size_t i = findings_before_notes(s->info); i-- > 0;)
		if (s->info->findings[i].kind == FINDING_RESULT &&
		    i != d->index)
			add_finding_count(s, f, &s->info->findings[i]);
	count_unstored(s, f);
	for (size_t i = 0; i < findings_before_notes(s->info); i++)
		if (s->info->findings[i].kind != FINDING_RESULT &&
		    i != d->index)
			add_finding_count(s, f, &s->info->findings[i]);
}

void scene_defect_facts(struct stage *s, const struct turns *t)
{
	struct defect_facts *f = stage_state(s, &facts_part);

	(void)t;
	s->scene.facts = NULL;
	if (!s->scene.defect.finding)
		return;
	if (!f->count_count || f->index != s->scene.defect.index) {
		free(f->marks);
		*f = (struct defect_facts){ .index = s->scene.defect.index };
		fit_block_tiles(s, f);
		find_meeting(s, f);
		find_marks(s, f);
		find_counts(s, f);
	}
	s->scene.facts = f;
}
