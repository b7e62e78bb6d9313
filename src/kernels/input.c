#include "kernels/input.h"

/* splitmix64: the n-th number of a stream. */
static uint64_t random_at(uint64_t seed, uint64_t n)
{
	uint64_t z = seed + (n + 1) * 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

int input_at(uint64_t seed, int matrix, uint64_t n)
{
	int v = (int)(random_at(seed * 3 + (uint64_t)matrix, n) % 18) - 9;

	return v < 0 ? v : v + 1;
}
