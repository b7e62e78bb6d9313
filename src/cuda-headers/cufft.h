/*
 * cufft: cuFFT's plans and transforms on one GPU, done on the CPU by
 * runtime_fft.c.
 */
#ifndef CUFFT_H
#define CUFFT_H
/* The guard of CUDA's own header, whose name programs ask for. */
#define _CUFFT_H_

#include "cuComplex.h"
#include "gemmviz_fft.h"
#include "gemmviz_runtime.h"

#define CUFFT_VERSION 11200
#define CUFFT_FORWARD (-1)
#define CUFFT_INVERSE 1
#define MAX_CUFFT_ERROR 0x11

typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef enum cufftResult_t {
	CUFFT_SUCCESS, CUFFT_INVALID_PLAN, CUFFT_ALLOC_FAILED,
	CUFFT_INVALID_TYPE, CUFFT_INVALID_VALUE, CUFFT_INTERNAL_ERROR,
	CUFFT_EXEC_FAILED, CUFFT_SETUP_FAILED, CUFFT_INVALID_SIZE,
	CUFFT_UNALIGNED_DATA, CUFFT_INCOMPLETE_PARAMETER_LIST,
	CUFFT_INVALID_DEVICE, CUFFT_PARSE_ERROR, CUFFT_NO_WORKSPACE,
	CUFFT_NOT_IMPLEMENTED, CUFFT_LICENSE_ERROR, CUFFT_NOT_SUPPORTED,
	CUFFT_MISSING_DEPENDENCY, CUFFT_NVRTC_FAILURE,
	CUFFT_NVJITLINK_FAILURE, CUFFT_NVSHMEM_FAILURE
} cufftResult;
typedef enum cufftType_t {
	CUFFT_C2C = 0x29, CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c,
	CUFFT_Z2Z = 0x69, CUFFT_D2Z = 0x6a, CUFFT_Z2D = 0x6c
} cufftType;
typedef enum cufftCompatibility_t {
	CUFFT_COMPATIBILITY_FFTW_PADDING = 1
} cufftCompatibility;
#define CUFFT_COMPATIBILITY_DEFAULT CUFFT_COMPATIBILITY_FFTW_PADDING

extern "C" {
cufftResult gemmviz_fft_create(cufftHandle *plan);
/* Its bytes of memory to work in. */
cufftResult gemmviz_fft_make(cufftHandle plan, const struct gemmviz_fft *how,
			     size_t *bytes);
cufftResult gemmviz_fft_size(cufftHandle plan, size_t *bytes);
cufftResult gemmviz_fft_stream(cufftHandle plan, cudaStream_t s);
cufftResult gemmviz_fft_run(cufftHandle plan, int type, void *in, void *out,
			    int direction, const char *name, const char *file,
			    int line);
cufftResult cufftDestroy(cufftHandle plan);
}

GEMMVIZ_HOST cufftResult cufftCreate(cufftHandle *plan)
{ return gemmviz_fft_create(plan); }
GEMMVIZ_HOST cufftResult cufftSetStream(cufftHandle plan, cudaStream_t s)
{ return gemmviz_fft_stream(plan, s); }
GEMMVIZ_HOST cufftResult cufftGetSize(cufftHandle plan, size_t *bytes)
{ return gemmviz_fft_size(plan, bytes); }
GEMMVIZ_HOST cufftResult cufftSetAutoAllocation(cufftHandle, int)
{ return CUFFT_SUCCESS; }
GEMMVIZ_HOST cufftResult cufftSetWorkArea(cufftHandle, void *)
{ return CUFFT_SUCCESS; }
GEMMVIZ_HOST cufftResult cufftSetCompatibilityMode(cufftHandle,
						   cufftCompatibility)
{ return CUFFT_SUCCESS; }
GEMMVIZ_HOST cufftResult cufftGetVersion(int *version)
{ *version = CUFFT_VERSION; return CUFFT_SUCCESS; }

/* ---- making plans ---- */

/* `embed` NULL: what else is said of this side does not count. */
template <class I>
GEMMVIZ_HOST struct gemmviz_fft_side
gemmviz_fft_side_of(int rank, const I *embed, long long stride, long long dist)
{
	struct gemmviz_fft_side s = { embed != nullptr, { 1, 1, 1 }, stride,
				      dist };

	for (int i = 0; embed && i < rank && rank <= 3; i++)
		s.embed[3 - rank + i] = embed[i];
	return s;
}

template <class I>
GEMMVIZ_HOST cufftResult
cufftMakePlanMany(cufftHandle plan, int rank, const I *n, const I *inembed,
		  I istride, I idist, const I *onembed, I ostride, I odist,
		  cufftType type, I batch, size_t *bytes)
{
	struct gemmviz_fft how = { type, rank, { 1, 1, 1 }, batch,
		gemmviz_fft_side_of(rank, inembed, istride, idist),
		gemmviz_fft_side_of(rank, onembed, ostride, odist) };

	for (int i = 0; i < rank && rank <= 3; i++)
		how.n[3 - rank + i] = n[i];
	return gemmviz_fft_make(plan, &how, bytes);
}
GEMMVIZ_HOST cufftResult
cufftMakePlanMany(cufftHandle plan, int rank, const int *n, const int *inembed,
		  int istride, int idist, const int *onembed, int ostride,
		  int odist, cufftType type, int batch, size_t *bytes)
{
	return cufftMakePlanMany<int>(plan, rank, n, inembed, istride, idist,
				      onembed, ostride, odist, type, batch,
				      bytes);
}
GEMMVIZ_HOST cufftResult
cufftMakePlanMany64(cufftHandle plan, int rank, const long long *n,
		    const long long *inembed, long long istride,
		    long long idist, const long long *onembed,
		    long long ostride, long long odist, cufftType type,
		    long long batch, size_t *bytes)
{
	return cufftMakePlanMany<long long>(
		plan, rank, n, inembed, istride, idist, onembed, ostride,
		odist, type, batch, bytes);
}
GEMMVIZ_HOST cufftResult
cufftPlanMany(cufftHandle *plan, int rank, const int *n, const int *inembed,
	      int istride, int idist, const int *onembed, int ostride,
	      int odist, cufftType type, int batch)
{
	size_t bytes;

	gemmviz_fft_create(plan);
	return cufftMakePlanMany<int>(*plan, rank, n, inembed, istride, idist,
				      onembed, ostride, odist, type, batch,
				      &bytes);
}
#define GEMMVIZ_PLAN(d, rank, numbers, batch, BATCH, ...) \
	GEMMVIZ_HOST cufftResult \
	cufftMakePlan##d(cufftHandle plan, __VA_ARGS__, cufftType type BATCH, \
			 size_t *bytes) \
	{ \
		const int n[] = { GEMMVIZ_PLAN_##numbers }; \
		\
		return cufftMakePlanMany<int>(plan, rank, n, nullptr, 1, 1, \
					      nullptr, 1, 1, type, batch, \
					      bytes); \
	} \
	GEMMVIZ_HOST cufftResult \
	cufftPlan##d(cufftHandle *plan, __VA_ARGS__, cufftType type BATCH) \
	{ \
		const int n[] = { GEMMVIZ_PLAN_##numbers }; \
		\
		return cufftPlanMany(plan, rank, n, nullptr, 1, 1, nullptr, 1, \
				     1, type, batch); \
	} \
	GEMMVIZ_HOST cufftResult \
	cufftEstimate##d(__VA_ARGS__, cufftType type BATCH, size_t *bytes) \
	{ \
		cufftHandle plan; \
		cufftResult r; \
		\
		gemmviz_fft_create(&plan); \
		r = cufftMakePlan##d(plan, GEMMVIZ_PLAN_##numbers, type \
				     GEMMVIZ_PLAN_##batch, bytes); \
		cufftDestroy(plan); \
		return r; \
	} \
	GEMMVIZ_HOST cufftResult \
	cufftGetSize##d(cufftHandle, __VA_ARGS__, cufftType type BATCH, \
			size_t *bytes) \
	{ \
		return cufftEstimate##d(GEMMVIZ_PLAN_##numbers, type \
					GEMMVIZ_PLAN_##batch, bytes); \
	}
#define GEMMVIZ_PLAN_x nx
#define GEMMVIZ_PLAN_xy nx, ny
#define GEMMVIZ_PLAN_xyz nx, ny, nz
#define GEMMVIZ_PLAN_1
#define GEMMVIZ_PLAN_batch , batch
GEMMVIZ_PLAN(1d, 1, x, batch, GEMMVIZ_COMMA int batch, int nx)
GEMMVIZ_PLAN(2d, 2, xy, 1, , int nx, int ny)
GEMMVIZ_PLAN(3d, 3, xyz, 1, , int nx, int ny, int nz)
#undef GEMMVIZ_PLAN

/* ---- transforms ---- */

#define GEMMVIZ_EXEC(what, From, To) \
	GEMMVIZ_HOST cufftResult \
	cufftExec##what(cufftHandle plan, From *in, To *out, GEMMVIZ_AT) \
	{ \
		return gemmviz_fft_run(plan, CUFFT_##what, in, out, \
				       CUFFT_FORWARD, "cufftExec" #what, \
				       GEMMVIZ_LINE); \
	}
GEMMVIZ_EXEC(R2C, cufftReal, cufftComplex)
GEMMVIZ_EXEC(D2Z, cufftDoubleReal, cufftDoubleComplex)
GEMMVIZ_EXEC(C2R, cufftComplex, cufftReal)
GEMMVIZ_EXEC(Z2D, cufftDoubleComplex, cufftDoubleReal)
#undef GEMMVIZ_EXEC
#define GEMMVIZ_EXEC(what, T) \
	GEMMVIZ_HOST cufftResult \
	cufftExec##what(cufftHandle plan, T *in, T *out, int direction, \
			GEMMVIZ_AT) \
	{ \
		return gemmviz_fft_run(plan, CUFFT_##what, in, out, direction, \
				       "cufftExec" #what, GEMMVIZ_LINE); \
	}
GEMMVIZ_EXEC(C2C, cufftComplex)
GEMMVIZ_EXEC(Z2Z, cufftDoubleComplex)
#undef GEMMVIZ_EXEC

#endif
