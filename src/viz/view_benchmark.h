/* view_benchmark: what a race's picture and its sentences share. */
#ifndef VIZ_VIEW_BENCHMARK_H
#define VIZ_VIEW_BENCHMARK_H

#include "viz/frame_model.h"

/* Returns the decimals that tell small values from 0. */
int benchmark_digits(double tflops);
/* Returns a state in words; `over`: results that are missing will not come any
 * more. */
const char *benchmark_state(enum timing_state state, bool over);
/* Returns everything known about a row, one sentence per line, and what is
 * unknown. The caller frees it. */
char *benchmark_row_words(const struct benchmark_row *row);
/* Writes why a row is as fast as it is, as clauses between dots: how the loads
 * are, and how busy the busiest unit is; nothing if neither is known. */
void benchmark_reason_words(struct str *out,
			    const struct benchmark_reason *r);
/* Writes "× 5.2", or "÷ 12" if it is slower; "" if the factor is not known. */
void benchmark_factor(char *buf, size_t size, double factor);

/* Draw the bars in r; return the rows of the screen that all of them need; and
 * return the row under a cell, or -1. */
void view_bars(struct canvas *c, struct rect r,
	       const struct benchmark_scene *s);
int bars_rows(const struct benchmark_scene *s);
int bars_hit(const struct benchmark_scene *s, struct rect r, int x, int y);
/* Draw the bars for a room: as many as can be large, around the chosen one, and
 * cuBLAS below them; and return the row under a cell, or -1. */
void view_bars_large(struct canvas *c, struct rect r,
		     const struct benchmark_scene *s);
int bars_large_hit(const struct benchmark_scene *s, struct rect r, int x,
		   int y);

/* A point of the roofline at x, y, and its label of w columns. */
struct roofline_label {
	int x, y, w;
	int at_x, at_y;		/* where the label is put; w is 0: nowhere */
};
/* Puts labels where nothing stands in r and none covers another; the first
 * label has the first choice. */
void roofline_place(const struct canvas *c, struct rect r,
		    struct roofline_label *labels, size_t count);
/* Draws a line from a point to its label. */
void roofline_line(struct canvas *c, const struct roofline_label *l,
		   struct ink ink);

#endif
