/*
 * kit: the parts of pictures: large digits, bars, cells that grow with the room
 * there is, lines, and values in flight.
 */
#ifndef VIZ_KIT_H
#define VIZ_KIT_H

#include "viz/canvas.h"

/*
 * Draws a number in large digits (0-9, '.', '-', ':', '/', 'x' and space) at
 * the upper left of r, as large as fits. A pixel of the 3x5 font is 4x2 cells,
 * 2x1 cells or half a cell; otherwise bold text. Returns the columns used.
 * kit_digits() only measures: it returns the columns and sets *rows.
 */
int kit_number(struct canvas *c, struct rect r, const char *text,
	       enum role role);
int kit_digits(struct rect r, const char *text, int *rows);

/* Returns the decimals that give a number from 1 to 1000 three digits. */
int kit_decimals(double v);
/* Writes a number of bytes, 1000 or more, with three digits: "550 GB", "9.07
 * TB". */
void kit_bytes(char *buf, size_t size, double bytes);

/* Draws a horizontal bar of w cells, of which `part` (0 to 1) is filled, to an
 * eighth of a cell; at least something is filled if part > 0. The rest has the
 * background `rest`; ROLE_NONE: it is not drawn. */
void kit_bar(struct canvas *c, int x, int y, int w, double part,
	     enum role role, enum role rest);

/*
 * The size of a matrix element on the screen. half: two elements to a cell, one
 * above the other (canvas_pixel()); else w x h cells.
 */
struct kit_size { int w, h; bool half; };
/* Returns the largest of 16x8, 12x6, 8x4, 6x3, 4x2, 3x1, 2x1 and half cells at
 * which rows x cols elements fit in w x h cells; w 0: none does. */
struct kit_size kit_fit(int w, int h, uint32_t rows, uint32_t cols);
/* Return the width of `cols` elements and the height of `rows` elements, in
 * cells. */
int kit_width(struct kit_size k, uint32_t cols);
int kit_height(struct kit_size k, uint32_t rows);
/* Draws the element (row, col) of a matrix whose picture begins at (x, y), with
 * text (NULL: none) in its middle if all of it fits. */
void kit_element(struct canvas *c, int x, int y, struct kit_size k,
		 uint32_t row, uint32_t col, const char *text,
		 struct ink ink);

/* Writes text if all of it fits in w columns. Returns the columns used. */
int kit_whole(struct canvas *c, int x, int y, int w, const char *text,
	      struct ink ink);
/* Writes text like kit_whole(), but only if the columns and the one before them
 * are blank. */
int kit_aside(struct canvas *c, int x, int y, int w, const char *text,
	      struct ink ink);
/* Returns a label such as "tiled TILE=32" or, if it does not fit in w columns,
 * its first word; the caller frees it. */
char *kit_label_text(const char *label, int w);
/* Writes kit_label_text() in w columns, right-aligned if `right` is set. */
void kit_label(struct canvas *c, int x, int y, int w, const char *label,
	       bool right, struct ink ink);

/* Fills r and writes text (NULL: none) in its middle, cut if it is too long. */
void kit_box(struct canvas *c, struct rect r, const char *text,
	     struct ink ink);

/*
 * The numbers along an axis: element `first + n` begins `n * each` columns
 * right of (x, y) and is called that number times `times`. Numbers are equally
 * far apart. The one in focus (-1: none) stands out, so that it is not taken
 * for one of them; those that it would touch are left out.
 */
struct kit_axis {
	int x, y;
	double each;
	uint32_t first, count, times;
	int64_t focus;
};
void kit_axis(struct canvas *c, const struct kit_axis *a);
/* The look of the number in focus. */
#define INK_FOCUS ((struct ink){ ROLE_ON_HUE, ROLE_CURSOR, ATTR_BOLD })

/* Draws a line from one cell to another, both included: straight where
 * possible; otherwise down (or up) to the row `bend`, along it, and on. */
void kit_line(struct canvas *c, int x0, int y0, int x1, int y1, int bend,
	      struct ink ink);

/* Draws the part `from` to `to` (0 to 1) of a straight line between the middles
 * of two cells, in braille dots; the dots of other lines stay. */
void kit_ray(struct canvas *c, int x0, int y0, int x1, int y1, double from,
	     double to, struct ink ink);

/* Computes where something is at the time t (0 to 1) of its way from a to b: it
 * starts and stops gently. */
double kit_between(double a, double b, double t);
struct rect kit_rect_between(struct rect a, struct rect b, double t);
/* Returns how much of the part `from` to `to` of a step is over at the time t,
 * as 0 to 1: for motion in several acts. */
double kit_act(double t, double from, double to);

#endif
