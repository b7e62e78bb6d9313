/* A left of C, B above C: where a row and a column meet. */
#include <stdio.h>

#include "base/text.h"
#include "viz/show.h"

/* Where the three are: within r, without their title rows. */
struct places {
	struct rect r, a, b, c;
	int scale;		/* elements per pixel, in each direction */
	/* 1: pixels are half blocks; 2: an element takes two cells */
	int cells;
};

#define GAP 2		/* columns between A and C */

static const struct stage_array *matrix(const struct show *s, int index)
{
	return s->scene && index >= 0 ? &s->scene->arrays[index] : NULL;
}

static int side(int elements, int scale)
{
	return (elements + scale - 1) / scale;
}

int picture_width(const struct stage_array *a, int scale, int cells)
{
	if (!a)
		return 16;
	return cells > 1 ? (int)a->cols * cells :
			   side((int)a->cols, scale);
}

int picture_height(const struct stage_array *a, int scale, int cells)
{
	if (!a)
		return 8;
	return cells > 1 ? (int)a->rows :
			   (side((int)a->rows, scale) + 1) / 2;
}

/*
 * A left of C, B above C, each with a row for its title; where that row is
 * what is missing, B's name stands beside it if it fits between panel and B.
 * The smallest scale that fits, and two cells an element where there is room
 * or the reader zooms in (then the pictures are cut and follow the focus).
 */
static void place(struct places *l, struct rect r, const struct show *s)
{
	const struct stage_array *a = matrix(s, s->scene ? s->scene->a : -1);
	const struct stage_array *b = matrix(s, s->scene ? s->scene->b : -1);
	const struct stage_array *c = matrix(s, s->scene ? s->scene->c : -1);
	int titles = s->zoom || (b && text_width(b->array->name) > GAP) ? 2 : 1;
	int aw, cw, bh, ch;

	l->cells = 2;
	for (l->scale = 1; l->scale < 1 << 20; ) {
		aw = picture_width(a, l->scale, l->cells);
		cw = MAX(picture_width(c, l->scale, l->cells),
			 picture_width(b, l->scale, l->cells));
		bh = picture_height(b, l->scale, l->cells);
		ch = MAX(picture_height(c, l->scale, l->cells),
			 picture_height(a, l->scale, l->cells));
		if (aw + GAP + cw <= r.w && bh + ch + titles <= r.h)
			break;
		if (l->cells == 2 && s->zoom) {
			cw = MIN(cw, (r.w - GAP) / 2);
			aw = MIN(aw, r.w - GAP - cw);
			ch = MIN(ch, (r.h - titles) / 2);
			bh = MIN(bh, r.h - titles - ch);
			break;
		}
		if (l->cells == 2)
			l->cells = 1;
		else
			l->scale *= 2;
	}
	l->c = (struct rect){ r.x + r.w - cw, r.y + r.h - ch, cw, ch };
	l->b = (struct rect){ l->c.x, l->c.y - 1 - bh, cw, bh };
	l->a = (struct rect){ l->c.x - GAP - aw, l->c.y, aw, ch };
}

#define TITLE_WIDTH 15	/* "A 64 x 64 1:2" and some room */

/* The name of a matrix, its size and scale or what is seen of it, and a
 * note, in row y. */
static void draw_title(struct canvas *c, struct rect r, int y,
		       const struct places *l, const struct stage_array *a,
		       const char *part, const char *note)
{
	int right = r.x + r.w, x;

	/* A narrow picture's title begins left of it; C's may not: A's is
	 * there. */
	x = r.x == l->c.x && r.y == l->c.y ? r.x :
	    MAX(l->r.x, MIN(r.x, right - TITLE_WIDTH));
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
static void draw_side_title(struct canvas *c, const struct places *l,
			    const struct stage_array *b)
{
	struct rect r = l->b;

	r.x -= MIN(TITLE_WIDTH, r.x - l->r.x);
	draw_title(c, (struct rect){ r.x, r.y, l->b.x - 1 - r.x, 1 }, r.y, l,
		   b, "", NULL);
}

/* " [0-15][8-23]": the rows and columns of a picture that is cut. */
static void part_words(const struct places *l, struct rect r,
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

static void draw_matrices(struct canvas *c, const struct places *l,
			  const struct show *s)
{
	const struct scene *sc = s->scene;
	const struct { int index; struct rect r; const char *note; } all[] = {
		{ sc->a, l->a, "k \xe2\x86\x92" },
		{ sc->b, l->b, "k \xe2\x86\x93" },
		{ sc->c, l->c, NULL },
	};
	bool beside = l->b.y - 1 < l->r.y;

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
	struct places l = { .r = r };

	place(&l, r, s);
	draw_matrices(c, &l, s);
}

static bool within(struct rect r, int x, int y)
{
	return x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
}

static void hit(const struct show *s, struct rect r, int x, int y,
		struct hit *hit)
{
	const struct scene *sc = s->scene;
	struct places l = { .r = r };

	place(&l, r, s);
	const struct { int index; struct rect r; } all[] = {
		{ sc->a, l.a }, { sc->b, l.b }, { sc->c, l.c },
	};
	uint32_t across = l.cells > 1 ? 1 : (uint32_t)l.scale;
	uint32_t down = l.cells > 1 ? 1 : 2 * (uint32_t)l.scale;

	for (size_t i = 0; i < LENGTH(all); i++) {
		const struct stage_array *a;
		struct box part;

		if (all[i].index < 0 || !within(all[i].r, x, y))
			continue;
		a = &sc->arrays[all[i].index];
		part = picture_part(all[i].r, s, a, l.scale, l.cells);
		hit->array = all[i].index;
		hit->rows = down;
		hit->cols = across;
		hit->row = part.row0 + (uint32_t)(y - all[i].r.y) * down;
		hit->col = part.col0 + (uint32_t)((x - all[i].r.x) / l.cells) *
				       across;
		if (hit->col < a->cols && hit->row < a->rows)
			hit->kind = HIT_ELEMENT;
	}
}

static enum view_rank rank(const struct scene *sc)
{
	(void)sc;
	return RANK_ALWAYS;
}

const struct view view_matrices = {
	.name = "matrices",
	.title = N_("matrices"),
	.help = N_("A, B and C as drawn on paper"),
	.pane = PANE_PICTURE,
	.rank = rank,
	.draw = draw,
	.hit = hit,
};
