/* The tiles in shared memory: what is there, who put it there. */
#include <stdio.h>
#include <stdlib.h>

#include "../text.h"
#include "show.h"

/* Of pictures beside each other: that of its title, where that is wider. */
static int width_beside(const struct stage_array *a, int scale, int cells)
{
	char size[32];
	int title = text_width(a->array->name) +
		    snprintf(size, sizeof(size), " %ux%u", a->rows, a->cols);

	return MAX(picture_width(a, scale, cells), title);
}

/* The scale at which all shared arrays fit beside or above each other. */
static bool fits(const struct scene *sc, struct rect r, int scale, int cells,
		 bool beside)
{
	int w = 0, h = 0, n = 0;

	for (size_t i = 0; i < sc->array_count; i++) {
		const struct stage_array *a = &sc->arrays[i];
		int aw, ah;

		if (a->array->space != SPACE_SHARED)
			continue;
		aw = beside ? width_beside(a, scale, cells) :
			      picture_width(a, scale, cells);
		ah = picture_height(a, scale, cells) + 1;
		w = beside ? w + aw + (n ? 2 : 0) : MAX(w, aw);
		h = beside ? MAX(h, ah) : h + ah;
		n++;
	}
	return w <= r.w && h <= r.h;
}

static int count_stored(const struct stage_array *a)
{
	int n = 0;

	for (uint32_t i = 0; a->owner && i < a->rows * a->cols; i++)
		n += a->owner[i] >= 0;
	return n;
}

static void draw_tiles(struct canvas *c, struct rect r, const struct show *s,
		       int scale, int cells, bool beside)
{
	int x = r.x, y = r.y;

	for (size_t i = 0; i < s->scene->array_count; i++) {
		const struct stage_array *a = &s->scene->arrays[i];
		int w = picture_width(a, scale, cells);
		int h = picture_height(a, scale, cells), used;

		if (a->array->space != SPACE_SHARED)
			continue;
		used = canvas_text(c, x, y, r.x + r.w - x, a->array->name,
				   a->now ? INK_BOLD(ROLE_ACCENT) :
					    INK_BOLD(ROLE_STRONG));
		canvas_textf(c, x + used, y, beside ? r.x + r.w - x - used :
			     r.x + r.w - x - used, INK(ROLE_DIM),
			     beside ? " %u\xc3\x97%u" :
			     _(" %u × %u  %d of %u stored"),
			     a->rows, a->cols, count_stored(a),
			     a->rows * a->cols);
		picture_draw(c, (struct rect){ x, y + 1, w, h }, s, a, scale,
			     cells);
		if (beside)
			x += width_beside(a, scale, cells) + 2;
		else
			y += h + 1;
	}
}

/* The thread that loaded the element the focused lane touches. */
static void draw_owner(struct canvas *c, struct rect r,
		       const struct scene *sc)
{
	const struct stage_array *a = NULL;
	uint64_t e;
	struct trace_dim t;
	char line[256];

	for (size_t i = 0; i < sc->array_count; i++)
		if (sc->arrays[i].now && sc->arrays[i].owner)
			a = &sc->arrays[i];
	if (!a || !sc->lane_active)
		return;
	e = sc->request.offset[sc->place.lane] / a->array->elem_bytes;
	if (a->owner[e] < 0)
		return;
	t = dim_of(sc->info->block, (uint32_t)a->owner[e]);
	snprintf(line, sizeof(line),
		 _("%s was stored by thread (%u,%u), warp %u lane %u"),
		 sc->element, t.x, t.y,
		 (uint32_t)a->owner[e] / WARP_LANES,
		 (uint32_t)a->owner[e] % WARP_LANES);
	prose_text(c, r, 0, line, INK(ROLE_TEXT));
}

static void draw(struct canvas *c, struct rect r, const struct show *s)
{
	const struct scene *sc = s->scene;
	int scale = 1, cells = 2, words = 2;
	bool bulk = sc && sc->site && op_is_bulk(sc->site->op);
	bool any = false, beside = false;

	r = canvas_frame(c, r, _("shared memory"), NULL, false);
	r.x++;
	r.w -= 2;
	for (size_t i = 0; sc && i < sc->array_count; i++)
		any |= sc->arrays[i].array->space == SPACE_SHARED;
	if (!any) {
		prose_text(c, r, 0, _("This kernel uses no shared memory."),
			   INK(ROLE_DIM));
		return;
	}
	if (bulk)
		words = MIN(prose_text(NULL, r, 0, sc->sentence,
				       INK(ROLE_TEXT)), r.h / 2);
	r.h -= words;
	while (!fits(sc, r, scale, cells, beside = false) &&
	       !fits(sc, r, scale, cells, beside = true) &&
	       scale < 1 << 16) {
		if (cells == 2)
			cells = 1;
		else
			scale *= 2;
	}
	draw_tiles(c, r, s, scale, cells, beside);
	r = (struct rect){ r.x, r.y + r.h, r.w, words };
	if (bulk)
		prose_fit(c, r, sc->sentence, INK(ROLE_TEXT));
	else
		draw_owner(c, r, sc);
}

const struct view view_shared = { "shared", draw };
