/*
 * cufftXt: cuFFT's plans by types of elements, and functions that it calls for
 * each element; not what it does on several GPUs.
 */
#ifndef CUFFTXT_H
#define CUFFTXT_H
/* The guard of CUDA's own header, whose name programs ask for. */
#define _CUFFTXT_H_

#include "cufft.h"
#include "library_types.h"

enum cufftXtCallbackType_t {
	CUFFT_CB_LD_COMPLEX, CUFFT_CB_LD_COMPLEX_DOUBLE, CUFFT_CB_LD_REAL,
	CUFFT_CB_LD_REAL_DOUBLE, CUFFT_CB_ST_COMPLEX,
	CUFFT_CB_ST_COMPLEX_DOUBLE, CUFFT_CB_ST_REAL, CUFFT_CB_ST_REAL_DOUBLE,
	CUFFT_CB_UNDEFINED
};
typedef enum cufftXtCallbackType_t cufftXtCallbackType;

#define GEMMVIZ_CALLBACK(letter, T) \
	typedef T (*cufftCallbackLoad##letter)(void *in, size_t at, \
					       void *with, void *shared); \
	typedef void (*cufftCallbackStore##letter)( \
		void *out, size_t at, T element, void *with, void *shared);
GEMMVIZ_CALLBACK(C, cufftComplex)
GEMMVIZ_CALLBACK(Z, cufftDoubleComplex)
GEMMVIZ_CALLBACK(R, cufftReal)
GEMMVIZ_CALLBACK(D, cufftDoubleReal)
#undef GEMMVIZ_CALLBACK

extern "C" {
/* A function of the program's for each element of a side; NULL: none. */
cufftResult gemmviz_fft_callback(cufftHandle plan, int type, void *function,
				 void *with);
}

GEMMVIZ_HOST cufftResult
cufftXtSetCallback(cufftHandle plan, void **functions,
		   cufftXtCallbackType type, void **with)
{
	return gemmviz_fft_callback(plan, type, functions[0],
				    with ? with[0] : nullptr);
}
GEMMVIZ_HOST cufftResult cufftXtClearCallback(cufftHandle plan,
					      cufftXtCallbackType type)
{ return gemmviz_fft_callback(plan, type, nullptr, nullptr); }

/* ---- on several GPUs ---- */

enum cufftXtSubFormat_t {
	CUFFT_XT_FORMAT_INPUT, CUFFT_XT_FORMAT_OUTPUT, CUFFT_XT_FORMAT_INPLACE,
	CUFFT_XT_FORMAT_INPLACE_SHUFFLED, CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED
};
typedef enum cufftXtSubFormat_t cufftXtSubFormat;
enum cufftXtCopyType_t {
	CUFFT_COPY_HOST_TO_DEVICE, CUFFT_COPY_DEVICE_TO_HOST,
	CUFFT_COPY_DEVICE_TO_DEVICE, CUFFT_COPY_UNDEFINED
};
typedef enum cufftXtCopyType_t cufftXtCopyType;
#define MAX_CUDA_DESCRIPTOR_GPUS 64
struct cudaXtDesc_t {
	int version, nGPUs, GPUs[MAX_CUDA_DESCRIPTOR_GPUS];
	void *data[MAX_CUDA_DESCRIPTOR_GPUS];
	size_t size[MAX_CUDA_DESCRIPTOR_GPUS];
	void *cudaXtState;
};
typedef struct cudaXtDesc_t cudaXtDesc;
struct cudaLibXtDesc_t {
	int version;
	cudaXtDesc *descriptor;
	int library, subFormat;
	void *libDescriptor;
};
typedef struct cudaLibXtDesc_t cudaLibXtDesc;
GEMMVIZ_UNPLAYED(cufftResult, cufftXtSetGPUs)
GEMMVIZ_UNPLAYED(cufftResult, cufftXtMalloc)
GEMMVIZ_UNPLAYED(cufftResult, cufftXtMemcpy)
GEMMVIZ_UNPLAYED(cufftResult, cufftXtFree)
GEMMVIZ_UNPLAYED(cufftResult, cufftXtQueryPlan)
GEMMVIZ_UNPLAYED(cufftResult, cufftXtExecDescriptorC2C)
GEMMVIZ_UNPLAYED(cufftResult, cufftXtExecDescriptorR2C)
GEMMVIZ_UNPLAYED(cufftResult, cufftXtExecDescriptorC2R)
GEMMVIZ_UNPLAYED(cufftResult, cufftXtExecDescriptorZ2Z)
GEMMVIZ_UNPLAYED(cufftResult, cufftXtExecDescriptorD2Z)
GEMMVIZ_UNPLAYED(cufftResult, cufftXtExecDescriptorZ2D)
GEMMVIZ_UNPLAYED(cufftResult, cufftXtExecDescriptor)

/* ---- by types ---- */

/* cuFFT's type of a plan from one type of elements to another; 0: none. */
GEMMVIZ_HOST int gemmviz_fft_type(cudaDataType from, cudaDataType to)
{
	if (from == CUDA_C_32F && to == CUDA_C_32F)
		return CUFFT_C2C;
	if (from == CUDA_C_64F && to == CUDA_C_64F)
		return CUFFT_Z2Z;
	if (from == CUDA_R_32F && to == CUDA_C_32F)
		return CUFFT_R2C;
	if (from == CUDA_R_64F && to == CUDA_C_64F)
		return CUFFT_D2Z;
	if (from == CUDA_C_32F && to == CUDA_R_32F)
		return CUFFT_C2R;
	return from == CUDA_C_64F && to == CUDA_R_64F ? CUFFT_Z2D : 0;
}
GEMMVIZ_HOST cufftResult
cufftXtMakePlanMany(cufftHandle plan, int rank, const long long *n,
		    const long long *inembed, long long istride,
		    long long idist, cudaDataType from,
		    const long long *onembed, long long ostride,
		    long long odist, cudaDataType to, long long batch,
		    size_t *bytes, cudaDataType)
{
	int type = gemmviz_fft_type(from, to);

	if (!type)
		return CUFFT_NOT_SUPPORTED;
	return cufftMakePlanMany64(plan, rank, n, inembed, istride, idist,
				   onembed, ostride, odist, (cufftType)type,
				   batch, bytes);
}
/* Of whatever type the plan is. */
GEMMVIZ_HOST cufftResult cufftXtExec(cufftHandle plan, void *in, void *out,
				     int direction, GEMMVIZ_AT)
{
	return gemmviz_fft_run(plan, 0, in, out, direction, "cufftXtExec",
			       GEMMVIZ_LINE);
}

#endif
