/*
 * measured: what recorded benchmarks measured of kernels, for pictures that
 * show figures next to what a kernel does.
 */
#ifndef TIMING_MEASURED_H
#define TIMING_MEASURED_H

#include "base/base.h"

/* One kernel's, and its threads a block; NA where it was not measured. Older: its
 * source has changed since. */
struct measured { double flops, registers, shared, threads; bool older; };

/* The size at which pictures compare kernels: large enough for the slowest to
 * fill a GPU, and in every race. */
#define MEASURED_SIZE 4096

/* The machine, the newest day on which one of the kernels was timed, and the
 * size: n x n x n. */
struct measured_race { char *gpu, *arch, *date; int n; };

/*
 * Looks up kernels, spelled as for benchmark_add() (NULL: none), at the size
 * n x n x n in the benchmarks that come with the program, put together
 * (benchmark_shipped()): whatever shows a kernel's figures has them from there.
 * Fills `out`, one for each word, and race (its members NULL if none was
 * timed). Returns how many were found.
 */
size_t measured_find(const char *const *words, size_t count, int n,
		     struct measured *out, struct measured_race *race);
void measured_race_done(struct measured_race *race);

#endif
