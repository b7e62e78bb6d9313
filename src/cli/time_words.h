/* time_words: times as in the tables of gemmviz time. The caller frees them;
 * they must have been measured. */
#ifndef CLI_TIME_WORDS_H
#define CLI_TIME_WORDS_H

#include "timing/timing.h"

char *time_words(double seconds);	/* "18.20 µs", "2.610 ms" */
/* Returns half the range of the samples, such as "±0.4 %"; the caller frees
 * it. */
char *time_spread_words(const struct timing_figures *f);

#endif
