/* A left of C, B above C: where a row and a column meet. */
#include <stdio.h>

#include "viz/show.h"

#define TITLE_WIDTH 15	/* "A 64 x 64 1:2" and some room */

/* The name of a matrix, its size and scale or what is seen of it, and a
 * note, in row y. */
static void draw_title(struct canvas *c, struct rect r, int y,
		       const struct layout *l, const struct stage_array *a,
		       const char *part, const char *note)
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
	x += canvas_text(c, x, y, right - x, part, INK(ROLE_FAINT));
	if (note && right - x > 6)
		canvas_right(c, x + 1, y, right - x - 1, note,
			     INK(ROLE_FAINT));
}

/* B has no row above it: all of its title beside it, or what fits there. */
static void draw_side_title(struct canvas *c, const struct layout *l,
			    const struct stage_array *b)
{
	struct rect r = l->b;
	struct ink name = b->now ? INK_BOLD(ROLE_ACCENT) :
				   INK_BOLD(ROLE_STRONG);

	if (!l->panel.w) {
		r.x -= MIN(TITLE_WIDTH, r.x - l->stage.x);
		draw_title(c, (struct rect){ r.x, r.y, l->b.x - 1 - r.x, 1 },
			   r.y, l, b, "", NULL);
		return;
	}
	r.x = l->panel.x + l->panel.w;
	canvas_right(c, r.x, r.y, l->b.x - r.x, b->array->name, name);
	if (r.h > 3) {
		canvas_put(c, l->b.x - 1, r.y + 2, 'k', INK(ROLE_FAINT));
		canvas_put(c, l->b.x - 1, r.y + 3, 0x2193, INK(ROLE_FAINT));
	}
}

/* " [0-15][8-23]": the rows and columns of a picture that is cut. */
static void part_words(const struct layout *l, struct rect r,
		       const struct show *s, const struct stage_array *a,
		       char *buf, size_t size)
{
	struct box part = picture_part(r, s, a, l->scale, l->cells);

	buf[0] = 0;
	if (part.known && (part.row1 - part.row0 + 1 < a->rows ||
			   part.col1 - part.col0 + 1 < a->cols))
		snprintf(buf, size, " [%u-%u][%u-%u]", part.row0, part.row1,
			 part.col0, part.col1);
}

static void draw_matrices(struct canvas *c, const struct layout *l,
			  const struct show *s)
{
	const struct scene *sc = s->scene;
	const struct { int index; struct rect r; const char *note; } all[] = {
		{ sc->a, l->a, "k \xe2\x86\x92" },
		{ sc->b, l->b, "k \xe2\x86\x93" },
		{ sc->c, l->c, NULL },
	};
	bool beside = l->b.y - 1 < l->stage.y;

	for (size_t i = 0; i < LENGTH(all); i++) {
		const struct stage_array *a;
		char part[64];

		if (all[i].index < 0)
			continue;
		a = &sc->arrays[all[i].index];
		part_words(l, all[i].r, s, a, part, sizeof(part));
		if (i != 1 || !beside)
			draw_title(c, all[i].r, all[i].r.y - 1, l, a, part,
				   all[i].note);
		picture_draw(c, all[i].r, s, a, l->scale, l->cells);
	}
	if (beside && sc->b >= 0)
		draw_side_title(c, l, &sc->arrays[sc->b]);
}

static void draw(struct canvas *c, struct rect r, const struct show *s)
{
	struct layout l;

	(void)r;	/* the layout says where each matrix stands */
	layout_make(&l, c->w, c->h, s);
	if (s->scene && l.c.w)
		draw_matrices(c, &l, s);
}

const struct view view_matrices = {
	.name = "matrices",
	.title = N_("matrices"),
	.help = N_("A, B and C as drawn on paper"),
	.pane = PANE_STAGE,
	.draw = draw,
};
