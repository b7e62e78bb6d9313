/*
 * matrices_window: A left of C and B above it, with values, where the focused
 * lane is: a window that follows it along k.
 */
#ifndef VIZ_PICTURES_MATRICES_WINDOW_H
#define VIZ_PICTURES_MATRICES_WINDOW_H

#include "viz/frame_model.h"
#include "viz/pictures/matrices/scene_matrices.h"

/* Elements row0.. and col0.. of C, and k0.. of A's columns and B's rows. */
struct matrices_window {
	const struct frame_model *s;
	const struct product_walk *m;
	const struct stage_array *of_a, *of_b, *of_c;
	struct box home;	/* the lane's element of C */
	struct kit_size each;	/* of an element */
	uint32_t row0, rows, col0, cols, k0, depth;
	int lag;		/* elements by which the window has yet to slide */
	struct rect a, b, c;
	struct rect corner, list;	/* w 0: no room */
	int legend;		/* its row; -1: no room */
};

/* Places the matrices in r; false: they do not fit, or the lane has no
 * element. */
bool matrices_place(struct matrices_window *w, const struct frame_model *s,
		    struct rect r);
void matrices_draw(struct canvas *c, const struct matrices_window *w);
/* Returns how many products are drawn at the show's time. */
uint32_t matrices_made(const struct matrices_window *w);
/* Computes the sum of the lane's first n products; false: A and B are not
 * known. */
bool matrices_sum(const struct matrices_window *w, uint32_t n, double *sum);

/* Draws the three matrices whole, with what a mark of them stands for. */
void matrices_corner(struct canvas *c, const struct matrices_window *w);
/* Draws the products that are made in the window, next to B's rows. */
void matrices_list(struct canvas *c, const struct matrices_window *w);

/* Draws whole matrices, whatever they hold, in marks that fit. */
void matrices_whole(struct canvas *c, struct rect r, const struct frame_model *s);
/* Finds the element under (x, y) there. */
void matrices_whole_hit(const struct frame_model *s, struct rect r, int x, int y,
			struct hit *hit);

#endif
