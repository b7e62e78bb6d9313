/*
 * curand: cuRAND's fills, on the CPU. The numbers are others than a GPU's; they
 * are distributed alike, and the same for the same seed.
 */
#ifndef CURAND_H
#define CURAND_H

#include "gemmviz_runtime.h"

typedef struct gemmviz_curand *curandGenerator_t;
enum curandStatus_t { CURAND_STATUS_SUCCESS,
		      CURAND_STATUS_VERSION_MISMATCH = 100,
		      CURAND_STATUS_NOT_INITIALIZED,
		      CURAND_STATUS_ALLOCATION_FAILED,
		      CURAND_STATUS_TYPE_ERROR, CURAND_STATUS_OUT_OF_RANGE,
		      CURAND_STATUS_LENGTH_NOT_MULTIPLE,
		      CURAND_STATUS_DOUBLE_PRECISION_REQUIRED,
		      CURAND_STATUS_LAUNCH_FAILURE = 201,
		      CURAND_STATUS_PREEXISTING_FAILURE,
		      CURAND_STATUS_INITIALIZATION_FAILED,
		      CURAND_STATUS_ARCH_MISMATCH,
		      CURAND_STATUS_INTERNAL_ERROR = 999 };
typedef enum curandStatus_t curandStatus;
enum curandRngType_t { CURAND_RNG_PSEUDO_DEFAULT = 100,
		       CURAND_RNG_PSEUDO_XORWOW = 101,
		       CURAND_RNG_PSEUDO_MRG32K3A = 121,
		       CURAND_RNG_PSEUDO_MTGP32 = 141,
		       CURAND_RNG_PSEUDO_MT19937 = 142,
		       CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
		       CURAND_RNG_QUASI_DEFAULT = 200,
		       CURAND_RNG_QUASI_SOBOL32 = 201 };

extern "C" {
int gemmviz_curand_make(curandGenerator_t *g);
int gemmviz_curand_seed(curandGenerator_t g, unsigned long long seed);
int gemmviz_curand_offset(curandGenerator_t g, unsigned long long offset);
int gemmviz_curand_free(curandGenerator_t g);
/* 'u'niform in (0, 1], 'n'ormal, 'i'nteger. */
int gemmviz_curand_fill(curandGenerator_t g, char how, void *to, size_t n,
			size_t bytes, double mean, double deviation,
			const char *file, int line);
}

GEMMVIZ_HOST curandStatus_t curandCreateGenerator(curandGenerator_t *g,
						  curandRngType_t)
{ return (curandStatus_t)gemmviz_curand_make(g); }
GEMMVIZ_HOST curandStatus_t curandCreateGeneratorHost(curandGenerator_t *g,
						      curandRngType_t)
{ return (curandStatus_t)gemmviz_curand_make(g); }
GEMMVIZ_HOST curandStatus_t
curandSetPseudoRandomGeneratorSeed(curandGenerator_t g,
				   unsigned long long seed)
{ return (curandStatus_t)gemmviz_curand_seed(g, seed); }
GEMMVIZ_HOST curandStatus_t
curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset)
{ return (curandStatus_t)gemmviz_curand_offset(g, offset); }
enum curandOrdering_t { CURAND_ORDERING_PSEUDO_BEST = 100,
			CURAND_ORDERING_PSEUDO_DEFAULT,
			CURAND_ORDERING_PSEUDO_SEEDED,
			CURAND_ORDERING_PSEUDO_LEGACY,
			CURAND_ORDERING_PSEUDO_DYNAMIC,
			CURAND_ORDERING_QUASI_DEFAULT = 201 };
GEMMVIZ_HOST curandStatus_t curandSetGeneratorOrdering(curandGenerator_t,
						       curandOrdering_t)
{ return CURAND_STATUS_SUCCESS; }
GEMMVIZ_HOST curandStatus_t curandSetStream(curandGenerator_t, cudaStream_t)
{ return CURAND_STATUS_SUCCESS; }
GEMMVIZ_HOST curandStatus_t curandDestroyGenerator(curandGenerator_t g)
{ return (curandStatus_t)gemmviz_curand_free(g); }
#define GEMMVIZ_FILL(name, T, how) \
	GEMMVIZ_HOST curandStatus_t name(curandGenerator_t g, T *to, \
					 size_t n, GEMMVIZ_AT) \
	{ \
		return (curandStatus_t)gemmviz_curand_fill( \
			g, how, to, n, sizeof(T), 0, 1, GEMMVIZ_LINE); \
	}
GEMMVIZ_FILL(curandGenerateUniform, float, 'u')
GEMMVIZ_FILL(curandGenerateUniformDouble, double, 'u')
GEMMVIZ_FILL(curandGenerate, unsigned int, 'i')
#undef GEMMVIZ_FILL
#define GEMMVIZ_FILL(name, T) \
	GEMMVIZ_HOST curandStatus_t name(curandGenerator_t g, T *to, \
					 size_t n, T mean, T deviation, \
					 GEMMVIZ_AT) \
	{ \
		return (curandStatus_t)gemmviz_curand_fill( \
			g, 'n', to, n, sizeof(T), mean, deviation, \
			GEMMVIZ_LINE); \
	}
GEMMVIZ_FILL(curandGenerateNormal, float)
GEMMVIZ_FILL(curandGenerateNormalDouble, double)
#undef GEMMVIZ_FILL

#endif
