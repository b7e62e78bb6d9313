/* view_benchmark: what a race's picture and its sentences share. */
#ifndef VIZ_VIEW_BENCHMARK_H
#define VIZ_VIEW_BENCHMARK_H

#include "viz/show.h"

/* Digits after the decimal point, enough to tell small values from 0. */
int benchmark_digits(double tflops);
/* A state in words; `over`: nothing that is waited for comes any more. */
const char *benchmark_state(enum timing_state state, bool over);
/* All that is known of a row, one sentence per line; it also says what is not
 * known. Heap. */
char *benchmark_row_words(const struct benchmark_row *row);
/* Why a row is as fast as it is, as clauses between dots: what the loads are
 * like, and what the unit does that is busiest; "" if neither is known. */
void benchmark_reason_words(struct str *out,
			    const struct benchmark_reason *r);
/* "× 5.2", or "÷ 12" where it is slower; "" if it is not known. */
void benchmark_factor(char *buf, size_t size, double factor);

/* The bars, in r; the rows of the screen that all of them want; and the row
 * under a cell, or -1. */
void view_bars(struct canvas *c, struct rect r,
	       const struct benchmark_scene *s);
int bars_rows(const struct benchmark_scene *s);
int bars_hit(const struct benchmark_scene *s, struct rect r, int x, int y);
/* The same for a room: as many bars as can be large, around the chosen one, and
 * cuBLAS below them. */
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
 * chooses first. */
void roofline_place(const struct canvas *c, struct rect r,
		    struct roofline_label *labels, size_t count);
/* The line from a point to its label. */
void roofline_line(struct canvas *c, const struct roofline_label *l,
		   struct ink ink);

#endif
