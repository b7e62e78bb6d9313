/* Draws, above A, the three matrices whole and the lane's products. */
#include <stdio.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/pictures/matrices/matrices_window.h"

/* ---- the matrices whole ---- */

/* How many elements a mark, half a cell, has in each direction, and where the
 * matrices are. */
struct corner {
	const struct matrices_window *w;
	uint32_t scale;
	int x, y;	/* of A's column and of B's row, in cells */
	int across, down;	/* marks of A's columns and of B's rows */
};

static int count_corner_marks(uint32_t n, uint32_t scale)
{
	return (int)((n + scale - 1) / scale);
}

/* Returns the box of a matrix's elements, bounds included. */
static struct box box_of(uint32_t row0, uint32_t rows, uint32_t col0,
			 uint32_t cols)
{
	return (struct box){ true, row0, col0, row0 + rows - 1,
			     col0 + cols - 1 };
}

static bool is_touching(const struct box *b, uint32_t row, uint32_t col,
			uint32_t scale)
{
	return b->known && row <= b->row1 && row + scale > b->row0 &&
	       col <= b->col1 && col + scale > b->col0;
}

/* The parts of a matrix that stand out: the block's, the tile's, the one in
 * focus. */
struct corner_parts { struct box block, tile, focus; };

static struct corner_parts parts_of(const struct matrices_window *w, char name)
{
	const struct box *c = &w->of_c->block;
	uint32_t row0 = c->known ? c->row0 : w->row0;
	uint32_t col0 = c->known ? c->col0 : w->col0;
	uint32_t rows = c->known ? c->row1 - c->row0 + 1 : w->rows;
	uint32_t cols = c->known ? c->col1 - c->col0 + 1 : w->cols;
	bool told = !w->s->quiet;
	struct corner_parts p = { .focus = { .known = false } };

	if (name == 'A') {
		p.block = box_of(row0, rows, 0, w->of_a->cols);
		p.tile = w->of_a->block;
		p.focus = box_of(w->home.row0, 1, w->m->k, 1);
	} else if (name == 'B') {
		p.block = box_of(0, w->of_b->rows, col0, cols);
		p.tile = w->of_b->block;
		p.focus = box_of(w->m->k, 1, w->home.col0, 1);
	} else {
		p.block = p.tile = box_of(row0, rows, col0, cols);
		p.focus = w->home;
	}
	p.focus.known &= told;
	return p;
}

/* Draws a matrix with its first mark at column x and half row y2. */
static void draw_corner_marks(struct canvas *c, const struct corner *k, char name,
		       const struct stage_array *a, int x, int y2)
{
	struct corner_parts p = parts_of(k->w, name);

	for (int y = 0; y < count_corner_marks(a->rows, k->scale); y++)
		for (int i = 0; i < count_corner_marks(a->cols, k->scale); i++) {
			uint32_t row = (uint32_t)y * k->scale;
			uint32_t col = (uint32_t)i * k->scale;
			enum role role =
				is_touching(&p.focus, row, col, k->scale) ?
				ROLE_CURSOR :
				is_touching(&p.tile, row, col, k->scale) ?
				ROLE_SEEN :
				is_touching(&p.block, row, col, k->scale) ?
				ROLE_OWN : ROLE_FIELD;

			canvas_pixel(c, x + i, y2 + y, role);
		}
}

#define SCALE_MOST (1u << 20)

static bool choose_scale(struct corner *k)
{
	const struct matrices_window *w = k->w;
	struct rect r = w->corner;

	for (k->scale = 1; k->scale <= SCALE_MOST; k->scale *= 2) {
		int down_b = (count_corner_marks(w->of_b->rows, k->scale) + 1) / 2;
		int down_a = (count_corner_marks(w->of_a->rows, k->scale) + 1) / 2;

		k->across = count_corner_marks(w->of_a->cols, k->scale);
		k->x = r.x + k->across + 1;
		k->y = r.y + down_b;
		k->down = down_b;
		if (k->across + 1 + count_corner_marks(w->of_b->cols, k->scale) <= r.w &&
		    down_a + down_b <= r.h)
			return true;
	}
	return false;
}

/* Returns the column after the marks of B and C, and a gap. */
static int find_corner_end(const struct corner *k)
{
	return k->x + count_corner_marks(k->w->of_b->cols, k->scale) + 1;
}

/* Writes what a mark stands for, in the corner's own corner, else at its
 * right; false: there is no room for it. */
static bool write_scale(struct canvas *c, const struct corner *k)
{
	const struct matrices_window *w = k->w;
	int right = find_corner_end(k);
	struct rect at[2] = {
		{ w->corner.x, w->corner.y, k->across, k->down - 1 },
		{ right, w->corner.y, w->corner.x + w->corner.w - right,
		  w->corner.h },
	};
	char words[96];

	snprintf(words, sizeof(words), k->scale > 1 ?
		 _("A, B, C: %u × %u elements a mark") :
		 _("A, B, C whole"), k->scale, k->scale);
	for (int i = 0; i < 2; i++)
		if (at[i].w > 8 && prose_text(NULL, at[i], 0, words,
					      INK(ROLE_DIM)) <= at[i].h) {
			prose_text(c, at[i], 0, words, INK(ROLE_DIM));
			return true;
		}
	return false;
}

/* Names the matrices: A above its marks, B and C at the right of theirs. */
static void name_matrices(struct canvas *c, const struct corner *k)
{
	const struct matrices_window *w = k->w;
	const struct ink ink = INK_BOLD(ROLE_STRONG);
	int right = find_corner_end(k);
	int end = w->corner.x + w->corner.w;

	canvas_text(c, w->corner.x, k->y - 1, 1, "A", ink);
	canvas_text(c, right, k->y - 1, MIN(1, end - right), "B", ink);
	canvas_text(c, right, k->y + (count_corner_marks(w->of_c->rows,
							 k->scale) - 1) / 2,
		    MIN(1, end - right), "C", ink);
}

void matrices_corner(struct canvas *c, const struct matrices_window *w)
{
	struct corner k = { .w = w };
	struct rect whole = w->corner;

	if (!choose_scale(&k))
		return;
	/* Smaller, rather than without its scale. */
	while (!write_scale(c, &k)) {
		k.w = w;
		if (k.scale >= SCALE_MOST || whole.w < 12)
			return;
		k.scale *= 2;
		k.across = count_corner_marks(w->of_a->cols, k.scale);
		k.x = w->corner.x + k.across + 1;
		k.down = (count_corner_marks(w->of_b->rows, k.scale) + 1) / 2;
		k.y = w->corner.y + k.down;
	}
	draw_corner_marks(c, &k, 'A', w->of_a, w->corner.x, 2 * k.y);
	draw_corner_marks(c, &k, 'B', w->of_b, k.x, 2 * w->corner.y);
	draw_corner_marks(c, &k, 'C', w->of_c, k.x, 2 * k.y);
	name_matrices(c, &k);
}

/* ---- products ---- */

/* The sum of the products so far; known: so are all of them. */
struct sum_so_far { double sum; bool known; };

/* Writes the product of row k of the window: its factors, and once it is made
 * the product and the sum with it. *so_far is that of the products
 * before it, and becomes that with it. */
static void write_list_product(struct canvas *c, struct rect r,
			       const struct matrices_window *w, uint32_t k,
			       struct sum_so_far *so_far)
{
	const struct scene *sc = w->s->scene;
	uint32_t done = matrices_made(w);
	struct ink ink = k + 1 == done ? INK_BOLD(ROLE_STRONG) :
			 INK(k < done ? ROLE_TEXT : ROLE_FAINT);
	char text[4][16] = { "", "", "", "" };
	double a, b;

	if (!scene_element(sc, w->of_a, w->home.row0, k, &a) ||
	    !scene_element(sc, w->of_b, k, w->home.col0, &b)) {
		so_far->known = false;
		return;
	}
	so_far->sum += a * b;
	number_fit(text[0], sizeof(text[0]), a, 4);
	number_fit(text[1], sizeof(text[1]), b, 4);
	canvas_right(c, r.x, r.y, 4, text[0], ink);
	canvas_text(c, r.x + 5, r.y, 1, "*", ink);
	canvas_right(c, r.x + 6, r.y, 4, text[1], ink);
	if (k >= done || !so_far->known)
		return;
	number_fit(text[2], sizeof(text[2]), a * b, 5);
	number_fit(text[3], sizeof(text[3]), so_far->sum, 6);
	canvas_right(c, r.x + 10, r.y, 6, text[2], ink);
	canvas_right(c, r.x + 16, r.y, 7, text[3], ink);
}

void matrices_list(struct canvas *c, const struct matrices_window *w)
{
	struct sum_so_far so_far;

	so_far.known = matrices_sum(w, w->k0, &so_far.sum);
	for (uint32_t i = 0; i < w->depth && w->m->known && !w->s->quiet; i++)
		write_list_product(c, (struct rect){
			w->list.x, w->list.y + (int)i * w->each.h +
			(w->each.h - 1) / 2, w->list.w, 1 }, w,
			w->k0 + i, &so_far);
}
