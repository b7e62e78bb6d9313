/* The order in which the cases of a benchmark take turns is fair. */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "gpu/race/benchmark_order.h"
#include "tap.h"

#define MOST 33

static int follows[MOST][MOST], stands[MOST][MOST];

/* Counts who follows whom, and who stands where; false: a case is missing. */
static bool count_round(int count, uint64_t seed, int round)
{
	int order[MOST];
	bool seen[MOST] = { false };
	int cases = 0;

	benchmark_order(order, count, seed, round);
	for (int i = 0; i < count; i++) {
		if (order[i] < 0 || order[i] >= count)
			return false;
		cases += !seen[order[i]];
		seen[order[i]] = true;
		stands[order[i]][i]++;
		if (i)
			follows[order[i - 1]][order[i]]++;
	}
	return cases == count;
}

static void test_fair(int count)
{
	int rounds = count % 2 ? 2 * count : count, wrong = 0, unfair = 0;

	memset(follows, 0, sizeof(follows));
	memset(stands, 0, sizeof(stands));
	for (int round = 0; round < rounds; round++)
		wrong += !count_round(count, 7, round);
	for (int a = 0; a < count; a++)
		for (int b = 0; b < count; b++) {
			unfair += a != b &&
				  follows[a][b] != rounds / count;
			unfair += stands[a][b] != rounds / count;
		}
	tap_is(wrong, 0, "%d cases: each once in each round", count);
	tap_is(unfair, 0, "%d cases: each behind each, and at each place, "
	       "equally often in %d rounds", count, rounds);
}

static void test_seed(void)
{
	int a[8], b[8], other = 0;

	benchmark_order(a, 8, 1, 3);
	benchmark_order(b, 8, 1, 3);
	tap_ok(!memcmp(a, b, sizeof(a)), "the same seed, the same order");
	for (uint64_t seed = 2; seed < 10; seed++) {
		benchmark_order(b, 8, seed, 3);
		other += memcmp(a, b, sizeof(a)) != 0;
	}
	tap_ok(other >= 7, "another seed, another order");
}

int main(void)
{
	for (int count = 1; count <= MOST; count++)
		test_fair(count);
	test_seed();
	return tap_done();
}
