/* A left of C, B above C: where a row and a column meet. */
#include <stdio.h>

#include "show.h"

#define TITLE_WIDTH 15	/* "A 64 x 64 1:2" and some room */

/* The name of a matrix, its size and scale, and a note, in row y. */
static void draw_title(struct canvas *c, struct rect r, int y,
		       const struct layout *l, const struct stage_array *a,
		       const char *note)
{
	int right = r.x + r.w, x;

	/* A narrow picture's title begins left of it; C's may not: A's is
	 * there. */
	x = r.x == l->c.x && r.y == l->c.y ? r.x :
	    MAX(l->stage.x, MIN(r.x, right - TITLE_WIDTH));
	x += canvas_text(c, x, y, right - x, a->array->name,
			 a->now ? INK_BOLD(ROLE_ACCENT) :
				  INK_BOLD(ROLE_STRONG));
	x += canvas_textf(c, x, y, right - x, INK(ROLE_DIM),
			  " %u \xc3\x97 %u", a->rows, a->cols);
	if (l->cells == 1 && l->scale > 1)
		x += canvas_textf(c, x, y, right - x, INK(ROLE_FAINT),
				  " 1:%d", l->scale);
	if (note && right - x > 6)
		canvas_right(c, x + 1, y, right - x - 1, note,
			     INK(ROLE_FAINT));
}

/* B and C share the row between them when B has none of its own. */
static void draw_shared_title(struct canvas *c, const struct layout *l,
			      const struct scene *sc)
{
	struct rect r = l->c;
	const struct stage_array *b = &sc->arrays[sc->b];

	draw_title(c, r, r.y - 1, l, &sc->arrays[sc->c], NULL);
	canvas_put(c, r.x + r.w - 3, r.y - 1, 0x25b4, INK(ROLE_FAINT));
	canvas_right(c, r.x + r.w - 1, r.y - 1, 1, b->array->name,
		     b->now ? INK_BOLD(ROLE_ACCENT) : INK_BOLD(ROLE_STRONG));
	if (r.w >= 30)
		canvas_textf(c, r.x + r.w - 12, r.y - 1, 8, INK(ROLE_DIM),
			     "%u \xc3\x97 %u", b->rows, b->cols);
}

void view_stage(struct canvas *c, const struct layout *l,
		const struct show *s)
{
	const struct scene *sc = s->scene;
	const struct { int index; struct rect r; const char *note; } all[] = {
		{ sc ? sc->a : -1, l->a, "k \xe2\x86\x92" },
		{ sc ? sc->b : -1, l->b, "k \xe2\x86\x93" },
		{ sc ? sc->c : -1, l->c, NULL },
	};
	bool shared = l->b.y - 1 < l->stage.y;

	if (!sc || !l->c.w)
		return;
	for (size_t i = 0; i < LENGTH(all); i++) {
		if (all[i].index < 0)
			continue;
		if (i == 0 || !shared)
			draw_title(c, all[i].r, all[i].r.y - 1, l,
				   &sc->arrays[all[i].index], all[i].note);
		picture_draw(c, all[i].r, s, &sc->arrays[all[i].index],
			     l->scale, l->cells);
	}
	if (shared && sc->b >= 0 && sc->c >= 0)
		draw_shared_title(c, l, sc);
}
