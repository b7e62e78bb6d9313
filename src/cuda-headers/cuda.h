/* Of the driver's functions one is played; its version is asked for. */
#ifndef CUDA_H
#define CUDA_H
#define CUDA_VERSION 12040

#ifdef GEMMVIZ_PROGRAM
typedef unsigned long long CUdeviceptr;
typedef enum { CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE } CUresult;

extern "C" cudaError_t gemmviz_address_range(CUdeviceptr *, size_t *,
					     CUdeviceptr, GEMMVIZ_AT);
static inline CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes,
					    CUdeviceptr p, GEMMVIZ_AT)
{
	return gemmviz_address_range(base, bytes, p, GEMMVIZ_LINE) ?
		       CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
#endif
#endif
