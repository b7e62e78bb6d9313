#include "kernels/input.h"

int input_at(uint64_t seed, int matrix, uint64_t n)
{
	int v = (int)(random_at(seed * 3 + (uint64_t)matrix, n) % 18) - 9;

	return v < 0 ? v : v + 1;
}

double input_fraction_at(uint64_t seed, int matrix, uint64_t n)
{
	uint64_t r = random_at(seed * 3 + (uint64_t)matrix, n) % 254;

	return (r < 127 ? (double)r - 127 : (double)r - 126) / 32;
}
