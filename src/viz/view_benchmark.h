/* view_benchmark: what a race's picture and its sentences share. */
#ifndef VIZ_VIEW_BENCHMARK_H
#define VIZ_VIEW_BENCHMARK_H

#include "viz/show.h"

/* Digits after the decimal point, enough to tell small values from 0. */
int benchmark_digits(double tflops);
const char *benchmark_state(enum timing_state state);
/* All that is known of a row, one sentence per line; it also says what is not
 * known. Heap. */
char *benchmark_row_words(const struct benchmark_row *row);

#endif
