/*
 * time_words: times as the tables of gemmviz time have them. Words are heap, and
 * of what was timed.
 */
#ifndef CLI_TIME_WORDS_H
#define CLI_TIME_WORDS_H

#include "timing/timing.h"

char *time_words(double seconds);	/* "18.20 µs", "2.610 ms" */
/* Half of how far the samples differ: "±0.4 %". */
char *time_spread_words(const struct timing_figures *f);

#endif
