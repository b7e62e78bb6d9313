/* The values of the matrices' elements, as far as they are known. */
#include "kernels/kernels.h"
#include "kernels/problem.h"
#include "scene/stage.h"

/* Requests of a warp among which the first load of an array is looked for. */
#define LOOK_AHEAD 256

/* Returns which input of a matrix product an array is, by its position and
 * size: 0 (A), 1 (B), or -1. */
static int match_input(const struct scene *sc, int index)
{
	const struct trace_info *i = sc->info;
	const struct trace_array *a = sc->arrays[index].array;

	if (!i->values || !i->problem ||
	    problem_find(i->problem) != &problem_gemm || a->rank != 2)
		return -1;
	if (index == sc->a && a->dims[0] == i->m && a->dims[1] == i->k)
		return 0;
	return index == sc->b && a->dims[0] == i->k && a->dims[1] == i->n ?
	       1 : -1;
}

/* Returns whether a load found the values that the recorder puts into input
 * `matrix`. */
static bool load_agrees(const struct stage *s, const struct trace_request *r,
			int matrix)
{
	const struct trace_site *site = stage_site(s, r->site);
	const struct trace_array *a = &s->info->arrays[site->array];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		uint64_t first = r->offset[lane] / a->elem_bytes;

		for (uint32_t b = 0; r->mask >> lane & 1 &&
		     b + a->elem_bytes <= site->bytes; b += a->elem_bytes) {
			double v;

			if (!element_value(a->elem, &r->value[lane * 4], b,
					   &v) ||
			    v != recorded_input(s->info, matrix,
						first + b / a->elem_bytes))
				return false;
		}
	}
	return true;
}

static bool loaded_so(struct stage *s, uint32_t array, int matrix)
{
	const struct trace_warp *tw = trace_warp_count(s->trace) ?
				      trace_warp(s->trace, 0) : NULL;
	struct trace_request r;
	uint32_t site;

	for (uint32_t i = 0; tw && i < MIN(tw->requests, LOOK_AHEAD); i++) {
		if (trace_get_site(s->trace, 0, i, &site, NULL))
			return false;
		if (stage_site(s, site)->array == array &&
		    stage_site(s, site)->op == OP_LD)
			return !trace_get(s->trace, 0, i, &r, NULL) &&
			       load_agrees(s, &r, matrix);
	}
	return false;
}

void scene_input(struct stage *s)
{
	struct scene *sc = &s->scene;

	for (size_t i = 0; i < sc->array_count; i++) {
		int matrix = match_input(sc, (int)i);

		sc->input[i] = matrix >= 0 &&
			       loaded_so(s, sc->arrays[i].id, matrix) ?
			       matrix : -1;
	}
}

/* Gets the value that a lane of this request moves of `element`. Returns false
 * if none does. */
static bool get_moved_value(const struct scene *sc, uint64_t element, double *v)
{
	uint32_t bytes = sc->array->elem_bytes;

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		uint64_t first = sc->request.offset[lane] / bytes;

		if (sc->request.mask >> lane & 1 && element >= first &&
		    (element - first + 1) * bytes <= sc->site->bytes)
			return element_value(sc->array->elem,
				&sc->request.value[lane * 4],
				(uint32_t)(element - first) * bytes, v);
	}
	return false;
}

bool scene_element(const struct scene *sc, const struct stage_array *a,
		   uint32_t row, uint32_t col, double *v)
{
	uint64_t element = (uint64_t)row * a->cols + col;
	size_t i = (size_t)(a - sc->arrays);

	if (i < sc->array_count && sc->input[i] >= 0) {
		*v = recorded_input(sc->info, sc->input[i], element);
		return true;
	}
	return a->array == sc->array && a->packed == 1 && sc->info->values &&
	       op_is_access(sc->site->op) && get_moved_value(sc, element, v);
}
