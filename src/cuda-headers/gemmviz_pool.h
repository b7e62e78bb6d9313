/*
 * gemmviz_pool: memory that is allocated in a stream's order, from pools, which
 * runtime_pool.c counts; and memory that other processes share, which is not
 * played.
 */
#ifndef GEMMVIZ_POOL_H
#define GEMMVIZ_POOL_H

#include "gemmviz_pool_types.h"

struct cudaMemPoolPtrExportData { unsigned char reserved[64]; };

extern "C" {
/* From this pool, or from the device's. */
cudaError_t gemmviz_malloc_async(void **, size_t, cudaMemPool_t, cudaStream_t,
				 const char *, int);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *, int, GEMMVIZ_AT);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *, int, GEMMVIZ_AT);
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t, GEMMVIZ_AT);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *, const struct cudaMemPoolProps *,
			      GEMMVIZ_AT);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t, GEMMVIZ_AT);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t, GEMMVIZ_AT);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, enum cudaMemPoolAttr,
				    void *, GEMMVIZ_AT);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, enum cudaMemPoolAttr,
				    void *, GEMMVIZ_AT);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t,
				 const struct cudaMemAccessDesc *, size_t,
				 GEMMVIZ_AT);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *, cudaMemPool_t,
				 struct cudaMemLocation *, GEMMVIZ_AT);
}

template <class T>
GEMMVIZ_HOST cudaError_t cudaMallocAsync(T **p, size_t bytes, cudaStream_t s,
					 GEMMVIZ_AT)
{ return gemmviz_malloc_async((void **)p, bytes, 0, s, GEMMVIZ_LINE); }
template <class T>
GEMMVIZ_HOST cudaError_t cudaMallocAsync(T **p, size_t bytes,
					 cudaMemPool_t pool, cudaStream_t s,
					 GEMMVIZ_AT)
{ return gemmviz_malloc_async((void **)p, bytes, pool, s, GEMMVIZ_LINE); }
template <class T>
GEMMVIZ_HOST cudaError_t cudaMallocFromPoolAsync(T **p, size_t bytes,
						 cudaMemPool_t pool,
						 cudaStream_t s, GEMMVIZ_AT)
{ return gemmviz_malloc_async((void **)p, bytes, pool, s, GEMMVIZ_LINE); }

/* ---- other processes ---- */

typedef struct { char reserved[64]; } cudaIpcMemHandle_t;
typedef struct { char reserved[64]; } cudaIpcEventHandle_t;
enum { cudaIpcMemLazyEnablePeerAccess = 1 };
GEMMVIZ_UNPLAYED(cudaError_t, cudaIpcGetMemHandle)
GEMMVIZ_UNPLAYED(cudaError_t, cudaIpcOpenMemHandle)
GEMMVIZ_UNPLAYED(cudaError_t, cudaIpcCloseMemHandle)
GEMMVIZ_UNPLAYED(cudaError_t, cudaIpcGetEventHandle)
GEMMVIZ_UNPLAYED(cudaError_t, cudaIpcOpenEventHandle)
GEMMVIZ_UNPLAYED(cudaError_t, cudaMemPoolExportToShareableHandle)
GEMMVIZ_UNPLAYED(cudaError_t, cudaMemPoolImportFromShareableHandle)
GEMMVIZ_UNPLAYED(cudaError_t, cudaMemPoolExportPointer)
GEMMVIZ_UNPLAYED(cudaError_t, cudaMemPoolImportPointer)

#endif
