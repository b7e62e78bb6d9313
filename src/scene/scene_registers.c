/* Registers of the focused lane. */
#include "scene/stage.h"

#include <string.h>

/* How far back a register's last value is looked for. */
#define LOOK_BACK 4096

static void register_apply(struct stage *s, const struct trace_request *r)
{
	const struct trace_site *site = stage_site(s, r->site);
	struct stage_array *sa = stage_array_at(s, site->array);
	uint32_t lane = s->scene.cursor.lane, bytes;
	uint64_t e;

	if (!sa || !sa->value || !(r->mask >> lane & 1))
		return;
	bytes = sa->array->elem_bytes / sa->packed;
	e = r->offset[lane] / bytes;
	for (uint32_t i = 0; i < stage_site_elements(site, sa->array) * sa->packed;
	     i++) {
		struct cell_value *v = &sa->value[e + i];

		v->known = s->info->values &&
			   element_value(stage_elem(s->info, sa->array),
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

void scene_registers(struct stage *s)
{
	struct scene *sc = &s->scene;
	uint32_t end = sc->cursor.request + 1;
	bool any = false;
	struct trace_request r;
	uint32_t at;

	for (size_t i = 0; i < sc->array_count; i++)
		any |= sc->arrays[i].value != NULL;
	if (!any)
		return;
	if (!s->reg_valid || s->reg_warp != sc->cursor.warp ||
	    s->reg_lane != sc->cursor.lane || s->reg_next > end ||
	    end - s->reg_next > LOOK_BACK) {
		register_forget(sc);
		s->reg_next = end > LOOK_BACK ? end - LOOK_BACK : 0;
	}
	at = s->reg_next;
	while ((at = stage_next(s, sc->cursor.warp, at, end, SITE_REGISTER)) <
	       end)
		if (!trace_get(s->trace, sc->cursor.warp, at++, &r, NULL))
			register_apply(s, &r);
	s->reg_valid = true;
	s->reg_warp = sc->cursor.warp;
	s->reg_lane = sc->cursor.lane;
	s->reg_next = end;
}
