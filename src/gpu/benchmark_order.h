/*
 * benchmark_order: in which order the cases of a benchmark take turns. What ran
 * just before (a kernel that draws more power, that fills the L2) is part of
 * what a sample measures, so it must not be the same for all rounds.
 *
 * A Williams design (E. J. Williams, 1949): in as many rounds as there are
 * cases, twice as many if their number is odd, each follows each other equally
 * often, and each stands at each place of a round equally often. The seed says
 * which case is which.
 */
#ifndef GPU_BENCHMARK_ORDER_H
#define GPU_BENCHMARK_ORDER_H

#include <stdint.h>

/* Fills order[count] with the cases in the order of the round, from 0. */
void benchmark_order(int *order, int count, uint64_t seed, int round);

#endif
