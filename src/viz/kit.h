/*
 * kit: what pictures are put together from: large digits, bars, cells that
 * grow with the room there is, lines, and values in flight.
 */
#ifndef VIZ_KIT_H
#define VIZ_KIT_H

#include "viz/canvas.h"

/*
 * A number in large digits (0-9, '.', '-', ':', '/', 'x' and space), as large
 * as fits in r, at its upper left: a pixel of the 3x5 font is 4x2 cells, 2x1
 * cells or half a cell; else bold text. Returns the columns used; kit_digits()
 * only measures: the columns, and the rows in *rows.
 */
int kit_number(struct canvas *c, struct rect r, const char *text,
	       enum role role);
int kit_digits(struct rect r, const char *text, int *rows);

/* The decimals of a number from 1 to 1000 that has three digits. */
int kit_decimals(double v);
/* 550 GB, 9.07 TB: three digits, of 1000 bytes or more. */
void kit_bytes(char *buf, size_t size, double bytes);

/* A horizontal bar of w cells of which `part` (0 to 1) is painted, to an eighth
 * of a cell; something is painted whenever part > 0. The rest is ROLE_NONE: not
 * painted. */
void kit_bar(struct canvas *c, int x, int y, int w, double part,
	     enum role role, enum role rest);

/*
 * The size of a matrix element on the screen. half: two elements to a cell, one
 * above the other (canvas_pixel()); else w x h cells.
 */
struct kit_size { int w, h; bool half; };
/* The largest of 16x8, 12x6, 8x4, 6x3, 4x2, 3x1, 2x1 and half cells at which
 * rows x cols elements fit in w x h cells; w 0: none does. */
struct kit_size kit_fit(int w, int h, uint32_t rows, uint32_t cols);
/* The columns of `cols` elements, and the rows of `rows` elements. */
int kit_width(struct kit_size k, uint32_t cols);
int kit_height(struct kit_size k, uint32_t rows);
/* Paints the element (row, col) of a matrix whose picture begins at (x, y);
 * text, if any, stands in its middle where there is room for all of it. */
void kit_element(struct canvas *c, int x, int y, struct kit_size k,
		 uint32_t row, uint32_t col, const char *text,
		 struct ink ink);

/* Writes text if there is room in w columns for all of it. Returns the columns
 * used. */
int kit_whole(struct canvas *c, int x, int y, int w, const char *text,
	      struct ink ink);
/* The same where the columns are blank, and the one before them. */
int kit_aside(struct canvas *c, int x, int y, int w, const char *text,
	      struct ink ink);
/* A label such as "tiled TILE=32" or, where w columns have no room for all of it,
 * its first word; the caller frees it. */
char *kit_label_text(const char *label, int w);
/* Writes it, right-aligned if `right` is set. */
void kit_label(struct canvas *c, int x, int y, int w, const char *label,
	       bool right, struct ink ink);

/* Paints r, with text in its middle (NULL: none), cut when it is too long. */
void kit_box(struct canvas *c, struct rect r, const char *text,
	     struct ink ink);

/* A line from one cell to another, both included: straight where it can be;
 * else down (or up) to the row `bend`, along it, and on. */
void kit_line(struct canvas *c, int x0, int y0, int x1, int y1, int bend,
	      struct ink ink);

/* The part `from` to `to` (0 to 1) of a straight line from the middle of a cell
 * to that of another, in dots of braille; those of lines drawn before stay. */
void kit_ray(struct canvas *c, int x0, int y0, int x1, int y1, double from,
	     double to, struct ink ink);

/* Where something is at the time t of its way from a to b: it starts and ends
 * gently. */
double kit_between(double a, double b, double t);
struct rect kit_rect_between(struct rect a, struct rect b, double t);
/* The part of a step's time that lies between `from` and `to`, as 0 to 1: for
 * motion in several acts. */
double kit_act(double t, double from, double to);

#endif
