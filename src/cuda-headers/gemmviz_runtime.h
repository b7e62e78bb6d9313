/*
 * gemmviz_runtime: the CUDA runtime's functions, as far as the recorder plays
 * them (runtime*.c). Each learns the line that calls it by a parameter of its
 * own. What only asks for something that the CPU does not have, such as a
 * cache's size, succeeds and does nothing.
 */
#ifndef GEMMVIZ_RUNTIME_H
#define GEMMVIZ_RUNTIME_H

#include "gemmviz_runtime_types.h"
#include "gemmviz_pool_types.h"

/* CUDA's own headers, where they are installed, have nothing to add to this;
 * some programs ask by these names whether they were included. */
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __DEVICE_TYPES_H__
#define __HOST_DEFINES_H__
#define __BUILTIN_TYPES_H__

#define CUDART_VERSION 12040
#define CUDART_CB
#define CUDARTAPI
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
#define cudaStreamTailLaunch ((cudaStream_t)3)
#define cudaStreamFireAndForget ((cudaStream_t)4)
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaEventInterprocess 4
#define cudaEventRecordDefault 0
#define cudaEventRecordExternal 1
#define cudaEventWaitDefault 0
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaHostRegisterPortable 1
#define cudaHostRegisterMapped 2
#define cudaMemAttachGlobal 1
#define cudaMemAttachHost 2
#define cudaMemAttachSingle 4
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceBlockingSync 4
#define cudaDeviceMapHost 8
#define cudaDeviceLmemResizeToMax 16
#define cudaOccupancyDefault 0
#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)

enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared,
		     cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault,
			   cudaSharedMemBankSizeFourByte,
			   cudaSharedMemBankSizeEightByte };
enum cudaSharedCarveout { cudaSharedmemCarveoutDefault = -1,
			  cudaSharedmemCarveoutMaxShared = 100,
			  cudaSharedmemCarveoutMaxL1 = 0 };
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize,
		 cudaLimitMallocHeapSize, cudaLimitDevRuntimeSyncDepth,
		 cudaLimitDevRuntimePendingLaunchCount,
		 cudaLimitMaxL2FetchGranularity, cudaLimitPersistingL2CacheSize };
enum cudaMemoryAdvise { cudaMemAdviseSetReadMostly = 1,
			cudaMemAdviseUnsetReadMostly,
			cudaMemAdviseSetPreferredLocation,
			cudaMemAdviseUnsetPreferredLocation,
			cudaMemAdviseSetAccessedBy,
			cudaMemAdviseUnsetAccessedBy };
enum cudaDeviceP2PAttr { cudaDevP2PAttrPerformanceRank = 1,
			 cudaDevP2PAttrAccessSupported,
			 cudaDevP2PAttrNativeAtomicSupported,
			 cudaDevP2PAttrCudaArrayAccessSupported };
enum cudaComputeMode { cudaComputeModeDefault, cudaComputeModeExclusive,
		       cudaComputeModeProhibited,
		       cudaComputeModeExclusiveProcess };

#define GEMMVIZ_AT const char *file = __builtin_FILE(), \
		   int line = __builtin_LINE()
#define GEMMVIZ_LINE file, line

extern "C" {
void gemmviz_configured(const char *file, int line, const dim3 *grid,
			const dim3 *block, size_t shared, cudaStream_t);
cudaError_t gemmviz_launch(const void *kernel, const dim3 *grid,
			   const dim3 *block, void **arguments, size_t shared,
			   cudaStream_t, int cooperative, const char *file,
			   int line);
cudaError_t gemmviz_configured_with(const cudaLaunchConfig_t *, const char *,
				    int);
cudaError_t gemmviz_launch_pending(const void *kernel, void **arguments,
				   const char *, int);
cudaError_t gemmviz_launched(void);

cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);

cudaError_t cudaGetDeviceCount(int *, GEMMVIZ_AT);
cudaError_t cudaGetDevice(int *, GEMMVIZ_AT);
cudaError_t cudaSetDevice(int, GEMMVIZ_AT);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *, int, GEMMVIZ_AT);
cudaError_t cudaDeviceGetAttribute(int *, enum cudaDeviceAttr, int,
				   GEMMVIZ_AT);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(GEMMVIZ_AT);
cudaError_t cudaStreamGetDevice(cudaStream_t, int *, GEMMVIZ_AT);
cudaError_t cudaDeviceCanAccessPeer(int *, int, int, GEMMVIZ_AT);
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int, GEMMVIZ_AT);
cudaError_t cudaDeviceDisablePeerAccess(int, GEMMVIZ_AT);
cudaError_t gemmviz_peer_attribute(int *, int, int, int, const char *, int);
cudaError_t gemmviz_copy_peer(void *, int, const void *, int, size_t,
			      cudaStream_t, int async, const char *, int);
cudaError_t cudaDeviceGetLimit(size_t *, enum cudaLimit, GEMMVIZ_AT);
cudaError_t cudaDeviceSetLimit(enum cudaLimit, size_t, GEMMVIZ_AT);
cudaError_t cudaMemGetInfo(size_t *, size_t *, GEMMVIZ_AT);
cudaError_t gemmviz_function_attribute(const void *, int, int, const char *,
				       int);
cudaError_t gemmviz_function_attributes(struct cudaFuncAttributes *,
					const void *, const char *, int);
cudaError_t gemmviz_occupancy(int *, const void *, int, size_t, const char *,
			      int);

cudaError_t gemmviz_malloc(void **, size_t, int kind, const char *, int);
cudaError_t cudaMallocPitch(void **, size_t *, size_t, size_t, GEMMVIZ_AT);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *, struct cudaExtent,
			 GEMMVIZ_AT);
cudaError_t cudaFree(void *, GEMMVIZ_AT);
cudaError_t cudaFreeAsync(void *, cudaStream_t, GEMMVIZ_AT);
cudaError_t cudaFreeHost(void *, GEMMVIZ_AT);
cudaError_t cudaHostGetDevicePointer(void **, void *, unsigned int,
				     GEMMVIZ_AT);
cudaError_t cudaHostRegister(void *, size_t, unsigned int, GEMMVIZ_AT);
cudaError_t cudaHostUnregister(void *, GEMMVIZ_AT);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *,
				     const void *, GEMMVIZ_AT);
cudaError_t gemmviz_symbol_check(size_t, size_t, size_t, const char *,
				 const char *, int);
cudaError_t gemmviz_copy_rows(void *, size_t, const void *, size_t, size_t,
			      size_t, enum cudaMemcpyKind, cudaStream_t,
			      int async, const char *, const char *, int);
cudaError_t gemmviz_copy_box(const struct cudaMemcpy3DParms *, cudaStream_t, int async,
			     const char *, const char *, int);
cudaError_t gemmviz_set_rows(void *, size_t, int, size_t, size_t,
			     cudaStream_t, int async, const char *,
			     const char *, int);

cudaError_t gemmviz_stream(cudaStream_t *, int blocking, const char *, int);
int gemmviz_per_thread(void);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t,
				unsigned int flags = 0);
void gemmviz_callback(cudaStream_t, cudaStreamCallback_t, cudaHostFn_t,
		      void *);
cudaError_t cudaStreamDestroy(cudaStream_t, GEMMVIZ_AT);
cudaError_t gemmviz_event(cudaEvent_t *, const char *, int);
cudaError_t cudaEventDestroy(cudaEvent_t, GEMMVIZ_AT);
cudaError_t gemmviz_event_record(cudaEvent_t, cudaStream_t, const char *,
				 int);
cudaError_t cudaEventSynchronize(cudaEvent_t, GEMMVIZ_AT);
cudaError_t cudaEventQuery(cudaEvent_t, GEMMVIZ_AT);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t,
				 GEMMVIZ_AT);

cudaError_t cudaStreamBeginCapture(cudaStream_t, enum cudaStreamCaptureMode,
				   GEMMVIZ_AT);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *, GEMMVIZ_AT);
cudaError_t cudaStreamIsCapturing(cudaStream_t,
				  enum cudaStreamCaptureStatus *, GEMMVIZ_AT);
cudaError_t cudaGraphCreate(cudaGraph_t *, unsigned int, GEMMVIZ_AT);
cudaError_t cudaGraphDestroy(cudaGraph_t, GEMMVIZ_AT);
cudaError_t cudaGraphClone(cudaGraph_t *, cudaGraph_t, GEMMVIZ_AT);
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t *, size_t *,
			      GEMMVIZ_AT);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *, cudaGraph_t,
				   const cudaGraphNode_t *, size_t,
				   const struct cudaKernelNodeParams *,
				   GEMMVIZ_AT);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *, cudaGraph_t,
				   const cudaGraphNode_t *, size_t,
				   const struct cudaMemcpy3DParms *,
				   GEMMVIZ_AT);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *, cudaGraph_t,
				     const cudaGraphNode_t *, size_t, void *,
				     const void *, size_t, enum cudaMemcpyKind,
				     GEMMVIZ_AT);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *, cudaGraph_t,
				   const cudaGraphNode_t *, size_t,
				   const struct cudaMemsetParams *,
				   GEMMVIZ_AT);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *, cudaGraph_t,
				 const cudaGraphNode_t *, size_t,
				 const struct cudaHostNodeParams *,
				 GEMMVIZ_AT);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *, cudaGraph_t,
				       const cudaGraphNode_t *, size_t,
				       cudaGraph_t, GEMMVIZ_AT);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *, cudaGraph_t,
				  const cudaGraphNode_t *, size_t, GEMMVIZ_AT);
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *from,
				     const cudaGraphNode_t *to, size_t,
				     GEMMVIZ_AT);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t,
					 const struct cudaKernelNodeParams *,
					 GEMMVIZ_AT);
cudaError_t
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
				 const struct cudaKernelNodeParams *,
				 GEMMVIZ_AT);
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t, GEMMVIZ_AT);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t, GEMMVIZ_AT);
cudaError_t gemmviz_graph_ready(cudaGraphExec_t *, cudaGraph_t,
				unsigned long long, const char *, int);
cudaError_t gemmviz_graph_update(cudaGraphExec_t, cudaGraph_t, const char *,
				 int);
}

#define GEMMVIZ_HOST static inline __attribute__((unused))

/* What is only known by name: a program that calls it ends. Templates are not
 * chosen where a function of the same name fits. */
extern "C" void gemmviz_unplayed(const char *name);
#define GEMMVIZ_UNPLAYED(type, name) \
	template <class... A> \
	GEMMVIZ_HOST __attribute__((always_inline)) type name(const A &...) \
	{ gemmviz_unplayed(#name); return type(); }

/* ---- launches ---- */

GEMMVIZ_HOST void gemmviz_configure(const char *file, int line, dim3 grid,
				    dim3 block, size_t shared = 0,
				    cudaStream_t s = 0)
{ gemmviz_configured(file, line, &grid, &block, shared, s); }
template <class K>
GEMMVIZ_HOST cudaError_t cudaLaunchKernel(K kernel, dim3 grid, dim3 block,
					  void **arguments, size_t shared = 0,
					  cudaStream_t s = 0, GEMMVIZ_AT)
{
	return gemmviz_launch((const void *)kernel, &grid, &block, arguments,
			      shared, s, 0, GEMMVIZ_LINE);
}
template <class K>
GEMMVIZ_HOST cudaError_t
cudaLaunchCooperativeKernel(K kernel, dim3 grid, dim3 block, void **arguments,
			    size_t shared = 0, cudaStream_t s = 0, GEMMVIZ_AT)
{
	return gemmviz_launch((const void *)kernel, &grid, &block, arguments,
			      shared, s, 1, GEMMVIZ_LINE);
}

/* ---- devices ---- */

GEMMVIZ_HOST cudaError_t cudaThreadSynchronize(void)
{ return cudaDeviceSynchronize(); }
GEMMVIZ_HOST cudaError_t cudaThreadExit(GEMMVIZ_AT)
{ return cudaDeviceReset(GEMMVIZ_LINE); }
#define GEMMVIZ_NOTHING(name, ...) \
	GEMMVIZ_HOST cudaError_t name(__VA_ARGS__) { return cudaSuccess; }
GEMMVIZ_NOTHING(cudaSetDeviceFlags, unsigned int)
GEMMVIZ_NOTHING(cudaInitDevice, int, unsigned int, unsigned int)
GEMMVIZ_NOTHING(cudaDeviceSetCacheConfig, enum cudaFuncCache)
GEMMVIZ_NOTHING(cudaDeviceSetSharedMemConfig, enum cudaSharedMemConfig)
GEMMVIZ_NOTHING(cudaProfilerStart)
GEMMVIZ_NOTHING(cudaProfilerStop)
GEMMVIZ_NOTHING(cudaMemAdvise, const void *, size_t, enum cudaMemoryAdvise,
		int)
GEMMVIZ_NOTHING(cudaMemPrefetchAsync, const void *, size_t, int,
		cudaStream_t = 0)
GEMMVIZ_NOTHING(cudaMemAdvise, const void *, size_t, enum cudaMemoryAdvise,
		struct cudaMemLocation)
GEMMVIZ_NOTHING(cudaMemPrefetchAsync, const void *, size_t,
		struct cudaMemLocation, unsigned int, cudaStream_t = 0)
GEMMVIZ_NOTHING(cudaStreamAttachMemAsync, cudaStream_t, void *, size_t = 0,
		unsigned int = 4)
template <class K> GEMMVIZ_NOTHING(cudaFuncSetCacheConfig, K,
				   enum cudaFuncCache)
template <class K> GEMMVIZ_NOTHING(cudaFuncSetSharedMemConfig, K,
				   enum cudaSharedMemConfig)
GEMMVIZ_NOTHING(cudaStreamSetAttribute, cudaStream_t, cudaStreamAttrID,
		const cudaStreamAttrValue *)
GEMMVIZ_NOTHING(cudaCtxResetPersistingL2Cache)
#undef GEMMVIZ_NOTHING
GEMMVIZ_HOST cudaError_t
cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *to)
{ *to = cudaSharedMemBankSizeFourByte; return cudaSuccess; }
GEMMVIZ_HOST cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *to)
{ *to = cudaFuncCachePreferNone; return cudaSuccess; }
GEMMVIZ_HOST cudaError_t cudaDriverGetVersion(int *v)
{ *v = CUDART_VERSION; return cudaSuccess; }
GEMMVIZ_HOST cudaError_t cudaRuntimeGetVersion(int *v)
{ *v = CUDART_VERSION; return cudaSuccess; }
GEMMVIZ_HOST cudaError_t cudaDeviceGetP2PAttribute(int *to,
						   enum cudaDeviceP2PAttr which,
						   int from, int peer,
						   GEMMVIZ_AT)
{ return gemmviz_peer_attribute(to, which, from, peer, GEMMVIZ_LINE); }
GEMMVIZ_HOST cudaError_t cudaDeviceGetStreamPriorityRange(int *low, int *high)
{ *low = 0; *high = -5; return cudaSuccess; }
GEMMVIZ_HOST cudaError_t cudaChooseDevice(int *device,
					  const struct cudaDeviceProp *)
{ *device = 0; return cudaSuccess; }
template <class K>
GEMMVIZ_HOST cudaError_t cudaFuncSetAttribute(K kernel,
					      enum cudaFuncAttribute attribute,
					      int value, GEMMVIZ_AT)
{
	return gemmviz_function_attribute((const void *)kernel, attribute,
					  value, GEMMVIZ_LINE);
}
template <class K>
GEMMVIZ_HOST cudaError_t
cudaFuncGetAttributes(struct cudaFuncAttributes *to, K kernel, GEMMVIZ_AT)
{
	return gemmviz_function_attributes(to, (const void *)kernel,
					   GEMMVIZ_LINE);
}
template <class K>
GEMMVIZ_HOST cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, K kernel,
					      int threads, size_t shared,
					      GEMMVIZ_AT)
{
	return gemmviz_occupancy(blocks, (const void *)kernel, threads, shared,
				 GEMMVIZ_LINE);
}
template <class K>
GEMMVIZ_HOST cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	int *blocks, K kernel, int threads, size_t shared, unsigned int,
	GEMMVIZ_AT)
{
	return gemmviz_occupancy(blocks, (const void *)kernel, threads, shared,
				 GEMMVIZ_LINE);
}
/* The block that fills most of an SM, the largest of equals. */
template <class K, class Shared>
GEMMVIZ_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
	int *grid, int *block, K kernel, Shared shared, int most = 0,
	GEMMVIZ_AT)
{
	int best = 0, sms = 0;

	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0,
			       GEMMVIZ_LINE);
	most = most > 0 && most < 1024 ? most : 1024;
	for (int threads = most / 32 * 32; threads > 0; threads -= 32) {
		int blocks = 0;

		gemmviz_occupancy(&blocks, (const void *)kernel, threads,
				  shared(threads), GEMMVIZ_LINE);
		if (blocks * threads <= best)
			continue;
		best = blocks * threads;
		*block = threads;
		*grid = blocks * sms;
	}
	return best ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}
template <class K>
GEMMVIZ_HOST cudaError_t
cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, K kernel,
				   size_t shared = 0, int most = 0, GEMMVIZ_AT)
{
	return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
		grid, block, kernel, [=](int) { return shared; }, most,
		GEMMVIZ_LINE);
}

/* ---- memory ---- */

enum { GEMMVIZ_DEVICE, GEMMVIZ_MANAGED, GEMMVIZ_PINNED };
#define GEMMVIZ_MALLOC(name, kind, ...) \
	template <class T> \
	GEMMVIZ_HOST cudaError_t name(T **p, size_t bytes __VA_ARGS__, \
				      GEMMVIZ_AT) \
	{ return gemmviz_malloc((void **)p, bytes, kind, GEMMVIZ_LINE); }
#define GEMMVIZ_COMMA ,
GEMMVIZ_MALLOC(cudaMalloc, GEMMVIZ_DEVICE)
GEMMVIZ_MALLOC(cudaMallocManaged, GEMMVIZ_MANAGED,
	       GEMMVIZ_COMMA unsigned int = 1)
GEMMVIZ_MALLOC(cudaMallocHost, GEMMVIZ_PINNED, GEMMVIZ_COMMA unsigned int = 0)
GEMMVIZ_MALLOC(cudaHostAlloc, GEMMVIZ_PINNED, GEMMVIZ_COMMA unsigned int)
#undef GEMMVIZ_MALLOC
template <class T>
GEMMVIZ_HOST cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width,
					 size_t height, GEMMVIZ_AT)
{ return cudaMallocPitch((void **)p, pitch, width, height, GEMMVIZ_LINE); }
template <class T>
GEMMVIZ_HOST cudaError_t cudaHostGetDevicePointer(T **to, void *p,
						  unsigned int flags,
						  GEMMVIZ_AT)
{ return cudaHostGetDevicePointer((void **)to, p, flags, GEMMVIZ_LINE); }
GEMMVIZ_HOST struct cudaExtent make_cudaExtent(size_t w, size_t h, size_t d)
{ struct cudaExtent e = { w, h, d }; return e; }
GEMMVIZ_HOST struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{ struct cudaPos p = { x, y, z }; return p; }
GEMMVIZ_HOST struct cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch,
						       size_t x, size_t y)
{ struct cudaPitchedPtr q = { p, pitch, x, y }; return q; }

#define GEMMVIZ_COPY(name, s, async, ...) \
	GEMMVIZ_HOST cudaError_t name(void *to, const void *from, \
				      size_t bytes, \
				      enum cudaMemcpyKind kind __VA_ARGS__, \
				      GEMMVIZ_AT) \
	{ \
		return gemmviz_copy_rows(to, bytes, from, bytes, bytes, 1, \
					 kind, s, async, #name, \
					 GEMMVIZ_LINE); \
	}
GEMMVIZ_COPY(cudaMemcpy, 0, 0)
GEMMVIZ_COPY(cudaMemcpyAsync, s, 1, GEMMVIZ_COMMA cudaStream_t s = 0)
#undef GEMMVIZ_COPY
#define GEMMVIZ_COPY(name, s, async, ...) \
	GEMMVIZ_HOST cudaError_t name( \
		void *to, size_t to_pitch, const void *from, \
		size_t from_pitch, size_t width, size_t height, \
		enum cudaMemcpyKind kind __VA_ARGS__, GEMMVIZ_AT) \
	{ \
		return gemmviz_copy_rows(to, to_pitch, from, from_pitch, \
					 width, height, kind, s, async, \
					 #name, GEMMVIZ_LINE); \
	}
GEMMVIZ_COPY(cudaMemcpy2D, 0, 0)
GEMMVIZ_COPY(cudaMemcpy2DAsync, s, 1, GEMMVIZ_COMMA cudaStream_t s = 0)
#undef GEMMVIZ_COPY
GEMMVIZ_HOST cudaError_t cudaMemcpyPeer(void *to, int device,
					const void *from, int other,
					size_t bytes, GEMMVIZ_AT)
{
	return gemmviz_copy_peer(to, device, from, other, bytes, 0, 0,
				 GEMMVIZ_LINE);
}
GEMMVIZ_HOST cudaError_t cudaMemcpyPeerAsync(void *to, int device,
					     const void *from, int other,
					     size_t bytes, cudaStream_t s = 0,
					     GEMMVIZ_AT)
{
	return gemmviz_copy_peer(to, device, from, other, bytes, s, 1,
				 GEMMVIZ_LINE);
}
GEMMVIZ_HOST cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p,
				      GEMMVIZ_AT)
{ return gemmviz_copy_box(p, 0, 0, "cudaMemcpy3D", GEMMVIZ_LINE); }
GEMMVIZ_HOST cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p,
					   cudaStream_t s = 0, GEMMVIZ_AT)
{ return gemmviz_copy_box(p, s, 1, "cudaMemcpy3DAsync", GEMMVIZ_LINE); }
GEMMVIZ_HOST cudaError_t cudaMemset(void *to, int value, size_t bytes,
				    GEMMVIZ_AT)
{
	return gemmviz_set_rows(to, bytes, value, bytes, 1, 0, 0, "cudaMemset",
				GEMMVIZ_LINE);
}
GEMMVIZ_HOST cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes,
					 cudaStream_t s = 0, GEMMVIZ_AT)
{
	return gemmviz_set_rows(to, bytes, value, bytes, 1, s, 1,
				"cudaMemsetAsync", GEMMVIZ_LINE);
}
GEMMVIZ_HOST cudaError_t cudaMemset2D(void *to, size_t pitch, int value,
				      size_t width, size_t height, GEMMVIZ_AT)
{
	return gemmviz_set_rows(to, pitch, value, width, height, 0, 0,
				"cudaMemset2D", GEMMVIZ_LINE);
}

/* A __device__ or __constant__ variable by itself, or by its address. */
template <class T> GEMMVIZ_HOST char *gemmviz_symbol(const T &symbol)
{ return (char *)&symbol; }
GEMMVIZ_HOST char *gemmviz_symbol(const void *symbol)
{ return (char *)symbol; }
template <class T>
GEMMVIZ_HOST cudaError_t
cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
		   size_t offset = 0,
		   enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
		   GEMMVIZ_AT)
{
	if (gemmviz_symbol_check(sizeof(symbol), offset, bytes,
				"cudaMemcpyToSymbol", GEMMVIZ_LINE))
		return cudaErrorInvalidValue;
	return gemmviz_copy_rows((char *)&symbol + offset, bytes, from, bytes,
				 bytes, 1, kind, 0, 0, "cudaMemcpyToSymbol",
				 GEMMVIZ_LINE);
}
template <class T>
GEMMVIZ_HOST cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes,
			size_t offset, enum cudaMemcpyKind kind,
			cudaStream_t s = 0, GEMMVIZ_AT)
{
	if (gemmviz_symbol_check(sizeof(symbol), offset, bytes,
				"cudaMemcpyToSymbolAsync", GEMMVIZ_LINE))
		return cudaErrorInvalidValue;
	return gemmviz_copy_rows((char *)&symbol + offset, bytes, from, bytes,
				 bytes, 1, kind, s, 1,
				 "cudaMemcpyToSymbolAsync", GEMMVIZ_LINE);
}
template <class T>
GEMMVIZ_HOST cudaError_t
cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes,
		     size_t offset = 0,
		     enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
		     GEMMVIZ_AT)
{
	if (gemmviz_symbol_check(sizeof(symbol), offset, bytes,
				"cudaMemcpyFromSymbol", GEMMVIZ_LINE))
		return cudaErrorInvalidValue;
	return gemmviz_copy_rows(to, bytes, (const char *)&symbol + offset,
				 bytes, bytes, 1, kind, 0, 0,
				 "cudaMemcpyFromSymbol", GEMMVIZ_LINE);
}
template <class T>
GEMMVIZ_HOST cudaError_t
cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes,
			  size_t offset, enum cudaMemcpyKind kind,
			  cudaStream_t s = 0, GEMMVIZ_AT)
{
	if (gemmviz_symbol_check(sizeof(symbol), offset, bytes,
				"cudaMemcpyFromSymbolAsync", GEMMVIZ_LINE))
		return cudaErrorInvalidValue;
	return gemmviz_copy_rows(to, bytes, (const char *)&symbol + offset,
				 bytes, bytes, 1, kind, s, 1,
				 "cudaMemcpyFromSymbolAsync", GEMMVIZ_LINE);
}
template <class P, class T>
GEMMVIZ_HOST cudaError_t cudaGetSymbolAddress(P **to, const T &symbol)
{ *to = (P *)&symbol; return cudaSuccess; }
template <class T>
GEMMVIZ_HOST cudaError_t cudaGetSymbolSize(size_t *to, const T &symbol)
{ *to = sizeof(symbol); return cudaSuccess; }

/* ---- streams and events: all is done at once, in order; what the host has
 * not waited for is remembered (stream_order.h) ---- */

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
static int gemmviz_per_thread_now = gemmviz_per_thread();
#endif
GEMMVIZ_HOST cudaError_t cudaStreamCreate(cudaStream_t *s, GEMMVIZ_AT)
{ return gemmviz_stream(s, 1, GEMMVIZ_LINE); }
GEMMVIZ_HOST cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s,
						   unsigned int flags,
						   GEMMVIZ_AT)
{ return gemmviz_stream(s, !(flags & cudaStreamNonBlocking), GEMMVIZ_LINE); }
GEMMVIZ_HOST cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s,
						      unsigned int flags, int,
						      GEMMVIZ_AT)
{ return gemmviz_stream(s, !(flags & cudaStreamNonBlocking), GEMMVIZ_LINE); }
GEMMVIZ_HOST cudaError_t cudaStreamAddCallback(cudaStream_t s,
					       cudaStreamCallback_t f,
					       void *with, unsigned int)
{ gemmviz_callback(s, f, nullptr, with); return cudaSuccess; }
GEMMVIZ_HOST cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t f,
					    void *with)
{ gemmviz_callback(s, nullptr, f, with); return cudaSuccess; }
GEMMVIZ_HOST cudaError_t cudaEventCreate(cudaEvent_t *e, unsigned int = 0,
					 GEMMVIZ_AT)
{ return gemmviz_event(e, GEMMVIZ_LINE); }
GEMMVIZ_HOST cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned int,
						  GEMMVIZ_AT)
{ return gemmviz_event(e, GEMMVIZ_LINE); }
GEMMVIZ_HOST cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s = 0,
					 GEMMVIZ_AT)
{ return gemmviz_event_record(e, s, GEMMVIZ_LINE); }

#include "gemmviz_pool.h"
#include "gemmviz_graph.h"
#include "gemmviz_texture.h"

#endif
