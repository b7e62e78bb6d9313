/* A left of C, B above C: where a row and a column meet. */
#include <stdio.h>

#include "show.h"

static void draw_title(struct canvas *c, struct rect r, const struct show *s,
		       const struct layout *l, const struct stage_array *a,
		       const char *note)
{
	int x = r.x, right = r.x + r.w;

	x += canvas_text(c, x, r.y - 1, right - x, a->array->name,
			 a->now ? INK_BOLD(ROLE_ACCENT) :
				  INK_BOLD(ROLE_STRONG));
	x += canvas_textf(c, x, r.y - 1, right - x, INK(ROLE_DIM),
			  " %u \xc3\x97 %u", a->rows, a->cols);
	if (l->cells == 1 && l->scale > 1)
		x += canvas_textf(c, x, r.y - 1, right - x, INK(ROLE_FAINT),
				  "  1:%d", l->scale);
	if (note && right - x > 6)
		canvas_right(c, x + 1, r.y - 1, right - x - 1, note,
			     INK(ROLE_FAINT));
	(void)s;
}

static void draw_matrix(struct canvas *c, struct rect r, const struct show *s,
			const struct layout *l, int index, const char *note)
{
	const struct stage_array *a;

	if (index < 0)
		return;
	a = &s->scene->arrays[index];
	draw_title(c, r, s, l, a, note);
	picture_draw(c, r, s, a, l->scale, l->cells);
}

void view_stage(struct canvas *c, const struct layout *l,
		const struct show *s)
{
	const struct scene *sc = s->scene;
	char block[48];

	if (!sc || !l->c.w)
		return;
	snprintf(block, sizeof(block), _("block (%u,%u)"), sc->block.x,
		 sc->block.y);
	draw_matrix(c, l->a, s, l, sc->a, "k \xe2\x86\x92");
	draw_matrix(c, l->b, s, l, sc->b, "k \xe2\x86\x93");
	draw_matrix(c, l->c, s, l, sc->c, block);
}
