/* Marks: the elements that are accessed now, and the trail of earlier ones. */
#include "scene/stage.h"

/* How far back the trail is looked for. */
#define LOOK_BACK 1024
/* Marks of an array at once; a box of TMA has 2^16 at most. */
#define MARKS_MOST (1u << 20)

void stage_mark(struct stage_array *sa, uint64_t element, uint32_t lane,
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

/* Marks a stored element, the lane's nth; its value is known if values were
 * recorded. */
static void mark_stored_element(const struct stage *s, struct mark *m,
				const struct trace_request *r,
				const struct trace_array *a, uint32_t n)
{
	uint32_t words = trace_value_words(stage_site(s, r->site));

	m->stored = true;
	m->known = s->info->values &&
		   (n + 1) * a->elem_bytes <= words * sizeof(uint32_t) &&
		   element_value(a->elem, &r->value[m->lane * 4],
				 n * a->elem_bytes, &m->value);
}

/* Returns whether the lane shows a box or operand: the first of those that have
 * the same one. */
static bool is_shown_bulk(const struct trace_request *r, uint32_t focus,
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
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		struct trace_tile_walk n;

		if (!is_shown_bulk(r, s->scene.cursor.lane, lane))
			continue;
		trace_tile_begin(&n, s->info, site, r->offset[lane]);
		while (trace_tile_next(&n))
			stage_mark(sa, n.at / sa->array->elem_bytes, lane, age,
				   other);
	}
}

static void add_marks(const struct stage *s, struct stage_array *sa,
		      const struct trace_request *r, uint8_t age, bool other)
{
	const struct trace_site *site = stage_site(s, r->site);
	uint32_t n = stage_site_elements(site, sa->array);

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
		for (uint32_t i = 0; i < n * sa->packed; i++) {
			stage_mark(sa, first + i, lane, age, other);
			if (site->op == OP_ST)
				mark_stored_element(
					s, &sa->marks[sa->mark_count - 1], r,
					sa->array, i);
		}
	}
}

/* Marks the other end of a bulk copy, or the other operand of a wgmma. */
static void mark_half(struct stage *s)
{
	struct scene *sc = &s->scene;
	struct trace_request r;
	struct stage_array *sa;

	if (stage_other_half(s, sc->cursor.warp, sc->cursor.request, &r)) {
		sa = stage_array_at(s, stage_site(s, r.site)->array);
		if (sa) {
			add_marks(s, sa, &r, 0, false);
			sa->now = true;
		}
		if (sc->site->op == OP_WGMMA)
			stage_mark_origin(s, &r);
	}
	if (sc->site->op == OP_WGMMA)
		stage_mark_origin(s, &sc->request);
}

/* Marks the trail: older accesses first, so that newer ones are drawn over
 * them. */
static void mark_trail(struct stage *s)
{
	struct scene *sc = &s->scene;
	uint32_t at[STAGE_MAX_ARRAYS][STAGE_RESULTS];
	uint32_t count[STAGE_MAX_ARRAYS] = {0};
	uint32_t low = sc->cursor.request > LOOK_BACK ?
		       sc->cursor.request - LOOK_BACK : 0;
	struct trace_request r;

	if (low < sc->phase_first)
		low = sc->phase_first;
	for (uint32_t i = sc->cursor.request; i-- > low;) {
		uint32_t site, most;
		struct stage_array *sa;
		size_t k;

		if (trace_get_site(s->trace, sc->cursor.warp, i, &site, NULL))
			return;
		sa = stage_array_at(s, stage_site(s, site)->array);
		if (!sa || sa->array->space == SPACE_REGISTER)
			continue;
		k = (size_t)(sa - sc->arrays);
		most = k == (size_t)sc->c ? STAGE_RESULTS : STAGE_TRAIL;
		if (count[k] < most)
			at[k][count[k]++] = i;
	}
	for (size_t k = 0; k < sc->array_count; k++)
		for (uint32_t i = count[k]; i-- > 0;)
			if (!trace_get(s->trace, sc->cursor.warp, at[k][i], &r,
				       NULL))
				add_marks(s, &sc->arrays[k], &r,
					  (uint8_t)(i + 1), false);
}

/* Marks the accesses of the block's other warps at the request with the same
 * number. */
static void mark_others(struct stage *s)
{
	struct scene *sc = &s->scene;
	struct trace_request r;

	for (size_t w = 0; w < trace_warp_count(s->trace); w++) {
		const struct trace_warp *tw = trace_warp(s->trace, w);
		struct stage_array *sa;

		if (tw->block != sc->warp.block || w == sc->cursor.warp ||
		    sc->cursor.request >= tw->requests ||
		    trace_get(s->trace, w, sc->cursor.request, &r, NULL))
			continue;
		sa = stage_array_at(s, stage_site(s, r.site)->array);
		if (sa && sa->array->space != SPACE_REGISTER)
			add_marks(s, sa, &r, 0, true);
	}
}

void scene_marks(struct stage *s)
{
	struct scene *sc = &s->scene;
	struct stage_array *sa;

	for (size_t i = 0; i < sc->array_count; i++) {
		sc->arrays[i].mark_count = 0;
		sc->arrays[i].now = false;
	}
	mark_trail(s);
	if (sc->cursor.all_warps)
		mark_others(s);
	sa = sc->site ? stage_array_at(s, sc->site->array) : NULL;
	if (sa) {
		add_marks(s, sa, &sc->request, 0, false);
		sa->now = true;
	}
	if (sc->site && op_is_bulk(sc->site->op))
		mark_half(s);
}
