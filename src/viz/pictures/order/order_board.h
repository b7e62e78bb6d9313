/* order_board: C's tiles as waves, with the strips of A and B that one reads. */
#ifndef VIZ_PICTURES_ORDER_ORDER_BOARD_H
#define VIZ_PICTURES_ORDER_ORDER_BOARD_H

#include "scene/scene_order.h"
#include "viz/frame_model.h"

/* Where the matrices stand, and the columns of an element: all boards of a
 * frame have one scale. */
struct order_board {
	const struct order *o;
	double scale;		/* columns an element of C; rows are half */
	int strip_w, strip_h;	/* columns of A and rows of B, shortened */
	int x, y;		/* C's upper left cell */
};

/* Returns the largest scale at which a C of m x n, with `rows` rows of tiles,
 * fits in w x h cells. */
double order_scale(double m, double n, uint32_t rows, int w, int h);
/* Draws A, B and C. `part`: how much of the step from the wave before to this
 * one is over, 0 to 1. */
void order_board_draw(struct canvas *c, const struct order_board *b,
		      double part, bool quiet);
/* Return the columns and rows that the board takes. */
int order_board_width(const struct order_board *b);
int order_board_height(const struct order_board *b);

#endif
