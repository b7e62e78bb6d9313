/*
 * raster: shapes finer than a cell. A cell of the raster has 8 x 16 points, and
 * each point has a colour role. At the end each cell of the canvas takes, of
 * space, halves, quadrants, lower and left eighths, the character whose two
 * colours leave the fewest points wrong. Draw text after that: it keeps a
 * cell's commonest colour as its background.
 *
 * Positions are in columns and rows of the canvas, with fractions. Shapes are
 * clipped to the raster; later ones cover earlier ones.
 */
#ifndef VIZ_RASTER_H
#define VIZ_RASTER_H

#include "viz/canvas.h"

#define RASTER_COLUMNS 8	/* points in a cell, across */
#define RASTER_ROWS 16		/* and down */

struct raster {
	struct rect r;		/* in cells of the canvas */
	int w, h;		/* in points */
	uint8_t *points;	/* enum role, row-major; ROLE_NONE: nothing */
};

/* Starts a raster over r; a negative size is none. */
void raster_begin(struct raster *g, struct rect r);
/* Draws it on the canvas and frees it. Cells without a shape stay as they are.
 * With c->ascii a cell takes its commonest colour. With c->mono it takes its
 * halves' signs (canvas_pixel()) and ribbons are left out, except that of the
 * focus. */
void raster_end(struct raster *g, struct canvas *c);

void raster_box(struct raster *g, double x, double y, double w, double h,
		enum role role);
/* Draws a bar like raster_box(); of one with w > 0 an eighth of a column can be
 * seen. One that begins or ends within a row ends with a column, for no cell has
 * a part of both: its end would be ragged. */
void raster_bar(struct raster *g, double x, double y, double w, double h,
		enum role role);

/* An edge of a wedge: from `from` to `to` at the row `at`; of a wedge that goes
 * sideways, rows at the column `at`. */
struct raster_edge { double from, to, at; };
/* What lies between two edges: straight, or curved so that it leaves both at
 * right angles. */
struct raster_wedge {
	struct raster_edge a, b;
	bool sideways, curved;
};
/* Draws the part of a wedge that has grown from a towards b: 0 nothing, 1 all. */
void raster_wedge(struct raster *g, const struct raster_wedge *w, double part,
		  enum role role);

/* Returns the lighter role of an even lane, the darker one of an odd lane, and
 * that of its ribbon. */
enum role raster_lane(uint32_t lane);
enum role raster_ribbon(uint32_t lane);

#endif
