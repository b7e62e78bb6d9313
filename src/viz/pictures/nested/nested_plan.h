/*
 * nested_plan: what the picture of block, warp and lane shows, and where each
 * of the three stands. Both halves of a pair get the same sizes.
 */
#ifndef VIZ_PICTURES_NESTED_NESTED_PLAN_H
#define VIZ_PICTURES_NESTED_NESTED_PLAN_H

#include "scene/scene_carriers.h"
#include "viz/frame_model.h"
#include "viz/pictures/nested/scene_nested.h"

/* The warp's elements of C as units, each the neighbours that one lane has: so
 * many down and across at most. */
#define NESTED_UNITS 64
/* The most rows or columns of a block's part of C. */
#define NESTED_LINES 1024
/* Cells of more rows than this have large digits. */
#define LARGE_ROWS 4

struct nested_subject {
	const struct frame_model *s;
	const struct scene *sc;
	const struct outer *o;
	const struct nested_scene *n;
	/* Which thread has each element of the block's part of C; NULL: not
	 * known. */
	const struct carrier_map *work;
	uint32_t rows, cols;	       /* of that part, */
	uint32_t warp_rows, warp_cols; /* of the warp's elements in it */
	/* The first row and column of each unit, counted from the part's. */
	uint32_t unit_rows, unit_cols;
	uint32_t unit_row[NESTED_UNITS], unit_col[NESTED_UNITS];
	/* The warp has elements in these rows and columns. */
	bool has_row[NESTED_LINES], has_col[NESTED_LINES];
};

struct nested_plan {
	/* The block: columns of the screen for an element; 0: it is not shown.
	 * Where As, Bs and C begin. */
	double element;
	double as_x, bs_y, c_x, c_y;
	/* The warp: a unit's size, and the rectangle of all units, without
	 * their strips of A and B at its left and above it. */
	double unit_w, unit_h;
	bool numbers; /* of lanes, in the units */
	struct rect warp, warp_title;
	/* The lane: a cell's size, and the rectangle of all cells, with those
	 * of the column and the row. */
	int cell_w, cell_h, head_h;
	/* The registers for factors are there so many times, 1 or 2: while one
	 * set is multiplied, the other is read. */
	int sets;
	struct rect lane, lane_title, counts;
	bool beside; /* the lane stands right of the warp */
};

/* Takes what a scene has to show. False: no outer product. */
bool nested_take(struct nested_subject *q, const struct frame_model *s,
		 const struct scene *sc);
/* Returns the thread that has an element of the block's part, or -1. */
int32_t nested_thread(const struct nested_subject *q, uint32_t row,
		      uint32_t col);
/* Tells whether the focused lane has elements in a row (else column) of the
 * block's part. */
bool nested_has_line(const struct nested_subject *q, bool row, uint32_t line);
/* Places the three in r; if they do not fit, the lane alone, cut. */
void nested_place(struct nested_plan *p, const struct nested_subject *q,
		  struct rect r);

/* Writes the block's title, and how many elements a mark stands for ("": one),
 * each in `size` bytes. Returns the columns of both side by side. */
int nested_block_title(char (*text)[96], size_t size,
		       const struct nested_subject *q, double element);

/* Returns how far a step is that goes over a whole iteration: the strips have
 * moved, the values have arrived, the products are there, they are added. */
struct nested_time {
	double slide, fly;
	bool products, sums;
};
struct nested_time nested_time(const struct nested_subject *q);

void nested_block(struct canvas *c, const struct nested_subject *q,
		  const struct nested_plan *p);
void nested_warp(struct canvas *c, const struct nested_subject *q,
		 const struct nested_plan *p);
void nested_lane(struct canvas *c, const struct nested_subject *q,
		 const struct nested_plan *p);
/* Returns the name of the shared array that holds the tile of A (0) or B (1),
 * if its rows and columns are the tile's; else that of the matrix. */
const char *nested_tile_name(const struct nested_subject *q, int input);

#endif
