#include "gpu/race/benchmark_order.h"

#include <stdlib.h>

#include "base/base.h"

static void shuffle_order(int *order, int count, uint64_t seed)
{
	for (int i = 0; i < count; i++)
		order[i] = i;
	for (int i = count - 1; i > 0; i--) {
		int k = (int)(random_at(seed, (uint64_t)i) %
			      ((uint64_t)i + 1));
		int was = order[i];

		order[i] = order[k];
		order[k] = was;
	}
}

/* Returns the ith number of 0, 1, n-1, 2, n-2, ..., whose differences are all
 * different. */
static int alternating_number(int i, int count)
{
	return i % 2 ? (i + 1) / 2 : (count - i / 2) % count;
}

void benchmark_order(int *order, int count, uint64_t seed, int round)
{
	int *names = xcalloc((size_t)count + 1, sizeof(*names));
	bool back = count % 2 && round / count % 2;

	shuffle_order(names, count, seed);
	for (int i = 0; i < count; i++)
		order[back ? count - 1 - i : i] =
			names[(alternating_number(i, count) + round) % count];
	free(names);
}
