/*
 * benchmark_order: the order in which the cases of a benchmark take turns. The
 * previous kernel (one that draws more power, or fills the L2) affects a
 * sample, so it must not be the same in all rounds.
 *
 * A Williams design (E. J. Williams, 1949): in as many rounds as there are
 * cases, twice as many if their number is odd, each follows each other equally
 * often, and each stands at each place of a round equally often. The seed says
 * which case is which.
 */
#ifndef GPU_RACE_BENCHMARK_ORDER_H
#define GPU_RACE_BENCHMARK_ORDER_H

#include <stdint.h>

/* Fills order[count] with the cases in the order of the round, from 0. */
void benchmark_order(int *order, int count, uint64_t seed, int round);

#endif
