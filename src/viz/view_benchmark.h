/* view_benchmark: what the picture of a race and its sentences share. */
#ifndef VIZ_VIEW_BENCHMARK_H
#define VIZ_VIEW_BENCHMARK_H

#include "viz/show.h"

/* Digits behind the point, enough to tell small ones from nothing. */
int benchmark_digits(double tflops);
const char *benchmark_state(enum timing_state state);
/* All that is known of one, a sentence a line; what is not known is said to be
 * so. Heap. */
char *benchmark_row_words(const struct benchmark_row *row);

#endif
