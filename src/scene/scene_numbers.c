/* The local variables of a thread, and the source line with numbers in it. */
#include "scene/stage.h"

#include <stdlib.h>
#include <string.h>

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

void stage_locals(struct stage *s, struct locals *l)
{
	locals_free(s->locals);
	s->locals = l;
}

/* Returns the row of locals for the cursor, or NULL. */
static const struct local_value *find_locals_row(struct stage *s,
						 const struct cursor *p)
{
	const struct locals *l = s->locals;
	uint32_t ordinal;

	if (!l || l->warp != p->warp || l->lane != p->lane)
		return NULL;
	ordinal = stage_ordinal(s, p->warp, p->request, p->lane);
	if (ordinal < l->first || ordinal - l->first >= l->row_count)
		return NULL;
	return &l->values[(ordinal - l->first) * l->name_count];
}

bool stage_wants_locals(struct stage *s, const struct cursor *p)
{
	const struct trace_warp *tw;

	if (p->warp >= trace_warp_count(s->trace) || s->info->partial)
		return false;
	tw = trace_warp(s->trace, p->warp);
	return p->request < tw->requests && !find_locals_row(s, p);
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

static bool lookup_local(struct stage *s, const char *name, int64_t *v)
{
	const struct local_value *row = find_locals_row(s, &s->scene.cursor);

	for (size_t i = 0; row && i < s->locals->name_count; i++) {
		/* Only variables in scope count; an inner one comes first. */
		if (!row[i].known || strcmp(s->locals->names[i], name))
			continue;
		*v = row[i].v;
		return true;
	}
	return false;
}

static bool lookup_name(void *ctx, const char *name, int64_t *v)
{
	struct stage *s = ctx;
	const struct scene *sc = &s->scene;

	return lookup_dim(name, "threadIdx", sc->thread, v) ||
	       lookup_dim(name, "blockIdx", sc->block, v) ||
	       lookup_dim(name, "blockDim", s->info->block, v) ||
	       lookup_dim(name, "gridDim", s->info->grid, v) ||
	       lookup_local(s, name, v);
}

/* Returns whether the numbers in the line give the recorded element. */
static bool check_numbers(const struct scene *sc, const int64_t *values,
			  size_t count)
{
	const struct trace_array *a = sc->array;
	uint64_t index[TRACE_MAX_RANK], offset;
	int64_t at = 0;

	offset = sc->request.offset[sc->cursor.lane];
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

void scene_numbers(struct stage *s)
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
	array_element(sc->array, sc->request.offset[sc->cursor.lane],
		      op_is_bulk(sc->site->op) ? sc->array->elem_bytes :
						 sc->site->bytes,
		      sc->element, sizeof(sc->element));
	if (!sc->has_span)
		return;
	sc->numbers = source_numbers(s->source, &sc->span, lookup_name, s,
				     values, &count);
	sc->numbers_agree = check_numbers(sc, values, count);
	sc->index = sc->request.offset[sc->cursor.lane] /
		    sc->array->elem_bytes;
	sc->flat = sc->numbers_agree && count == 1 && sc->array->rank == 2 &&
		   sc->array->space == SPACE_GLOBAL;
	sc->row = sc->index / sc->array->dims[sc->array->rank - 1];
	sc->col = sc->index % sc->array->dims[sc->array->rank - 1];
}
