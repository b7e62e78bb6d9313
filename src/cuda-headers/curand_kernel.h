/*
 * curand_kernel: cuRAND in kernels: a generator in each thread's registers. Its
 * numbers are others than a GPU's, distributed alike.
 */
#ifndef CURAND_KERNEL_H
#define CURAND_KERNEL_H

#ifdef GEMMVIZ_PROGRAM
#include "curand.h"
#endif

struct curandStateXORWOW { unsigned long long gemmviz_seed, gemmviz_at; };
typedef struct curandStateXORWOW curandState;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandStatePhilox4_32_10_t;
typedef struct curandStateXORWOW curandStateMRG32k3a_t;

/* A state is loaded and stored as a whole. */
GEMMVIZ_QUIET unsigned long long gemmviz_random(curandState *s, void *here)
{
	gemmviz_load(s, sizeof(*s), here);
	unsigned long long x = s->gemmviz_seed +
			       ++s->gemmviz_at * 0x9e3779b97f4a7c15ull;

	gemmviz_store(s, sizeof(*s), here);
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}
GEMMVIZ_QUIET void curand_init(unsigned long long seed,
			       unsigned long long sequence,
			       unsigned long long offset, curandState *s)
{
	gemmviz_store(s, sizeof(*s), GEMMVIZ_HERE);
	s->gemmviz_seed = (seed + 1) * 0xd1342543de82ef95ull +
			  sequence * 0x2545f4914f6cdd1dull;
	s->gemmviz_at = offset;
}
GEMMVIZ_QUIET unsigned int curand(curandState *s)
{ return (unsigned int)(gemmviz_random(s, GEMMVIZ_HERE) >> 32); }
GEMMVIZ_QUIET double gemmviz_uniform(curandState *s, void *here)
{ return ((double)(gemmviz_random(s, here) >> 11) + 1) / 9007199254740992.0; }
GEMMVIZ_QUIET double gemmviz_normal(curandState *s, void *here)
{
	double u = gemmviz_uniform(s, here), v = gemmviz_uniform(s, here);

	return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}
GEMMVIZ_QUIET float curand_uniform(curandState *s)
{ return (float)gemmviz_uniform(s, GEMMVIZ_HERE); }
GEMMVIZ_QUIET double curand_uniform_double(curandState *s)
{ return gemmviz_uniform(s, GEMMVIZ_HERE); }
GEMMVIZ_QUIET float curand_normal(curandState *s)
{ return (float)gemmviz_normal(s, GEMMVIZ_HERE); }
GEMMVIZ_QUIET double curand_normal_double(curandState *s)
{ return gemmviz_normal(s, GEMMVIZ_HERE); }

#endif
