/*
 * gemmviz_runtime_types: what the CUDA runtime's functions pass, in the C that
 * programs and the recorder share. Names and numbers are CUDA's (CUDA Runtime
 * API, driver_types.h).
 */
#ifndef GEMMVIZ_RUNTIME_TYPES_H
#define GEMMVIZ_RUNTIME_TYPES_H

/* As CUDA's own does. */
#include <limits.h>
#include <stddef.h>

/* X(name, number, words) */
#define GEMMVIZ_CUDA_ERRORS(X) \
	X(Success, 0, "no error") \
	X(ErrorInvalidValue, 1, "invalid argument") \
	X(ErrorMemoryAllocation, 2, "out of memory") \
	X(ErrorInitializationError, 3, "initialization error") \
	X(ErrorCudartUnloading, 4, "driver shutting down") \
	X(ErrorProfilerDisabled, 5, \
	  "profiler disabled while using external profiling tool") \
	X(ErrorInvalidConfiguration, 9, "invalid configuration argument") \
	X(ErrorInvalidPitchValue, 12, "invalid pitch argument") \
	X(ErrorInvalidSymbol, 13, "invalid device symbol") \
	X(ErrorInvalidHostPointer, 16, "invalid host pointer") \
	X(ErrorInvalidDevicePointer, 17, "invalid device pointer") \
	X(ErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy") \
	X(ErrorInsufficientDriver, 35, \
	  "CUDA driver version is insufficient for CUDA runtime version") \
	X(ErrorMissingConfiguration, 52, \
	  "__global__ function call is not configured") \
	X(ErrorInvalidDeviceFunction, 98, "invalid device function") \
	X(ErrorNoDevice, 100, "no CUDA-capable device is detected") \
	X(ErrorInvalidDevice, 101, "invalid device ordinal") \
	X(ErrorInvalidKernelImage, 200, "device kernel image is invalid") \
	X(ErrorNoKernelImageForDevice, 209, \
	  "no kernel image is available for execution on the device") \
	X(ErrorPeerAccessUnsupported, 217, \
	  "peer access is not supported between these two devices") \
	X(ErrorInvalidResourceHandle, 400, "invalid resource handle") \
	X(ErrorSymbolNotFound, 500, "named symbol not found") \
	X(ErrorNotReady, 600, "device not ready") \
	X(ErrorIllegalAddress, 700, \
	  "an illegal memory access was encountered") \
	X(ErrorLaunchOutOfResources, 701, \
	  "too many resources requested for launch") \
	X(ErrorLaunchTimeout, 702, \
	  "the launch timed out and was terminated") \
	X(ErrorPeerAccessAlreadyEnabled, 704, \
	  "peer access is already enabled") \
	X(ErrorPeerAccessNotEnabled, 705, "peer access has not been enabled") \
	X(ErrorAssert, 710, "device-side assert triggered") \
	X(ErrorHostMemoryAlreadyRegistered, 712, \
	  "part or all of the requested memory range is already mapped") \
	X(ErrorHostMemoryNotRegistered, 713, \
	  "pointer does not correspond to a registered memory region") \
	X(ErrorLaunchFailure, 719, "unspecified launch failure") \
	X(ErrorCooperativeLaunchTooLarge, 720, \
	  "too many blocks in cooperative launch") \
	X(ErrorNotSupported, 801, "operation not supported") \
	X(ErrorStreamCaptureUnsupported, 900, \
	  "operation not permitted when stream is capturing") \
	X(ErrorStreamCaptureInvalidated, 901, \
	  "operation failed due to a previous error during capture") \
	X(ErrorStreamCaptureUnjoined, 904, \
	  "capturing stream has unjoined work") \
	X(ErrorStreamCaptureImplicit, 906, \
	  "operation would make the legacy stream depend on a capturing " \
	  "blocking stream") \
	X(ErrorCapturedEvent, 907, "operation not permitted on an event last " \
	  "recorded in a capturing stream") \
	X(ErrorGraphExecUpdateFailure, 910, \
	  "the graph update was not performed because it included changes " \
	  "which violated constraints specific to instantiated graph update") \
	X(ErrorInvalidClusterSize, 912, "cluster misconfiguration") \
	X(ErrorUnknown, 999, "unknown error")
#define GEMMVIZ_CUDA_ERROR(name, number, words) cuda##name = number,
enum cudaError { GEMMVIZ_CUDA_ERRORS(GEMMVIZ_CUDA_ERROR) };
#undef GEMMVIZ_CUDA_ERROR
typedef enum cudaError cudaError_t;

enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice,
		      cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice,
		      cudaMemcpyDefault };

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);
typedef void (*cudaHostFn_t)(void *);

#ifdef __cplusplus
#define GEMMVIZ_DIM3 dim3
#else
#include "trace/trace.h"
#define GEMMVIZ_DIM3 struct trace_dim
#endif

struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
struct cudaArray;
typedef struct cudaArray *cudaArray_t;
struct cudaMemcpy3DParms {
	cudaArray_t srcArray;
	struct cudaPos srcPos;
	struct cudaPitchedPtr srcPtr;
	cudaArray_t dstArray;
	struct cudaPos dstPos;
	struct cudaPitchedPtr dstPtr;
	struct cudaExtent extent;
	enum cudaMemcpyKind kind;
};

#include "gemmviz_texture_types.h"

enum cudaAccessProperty { cudaAccessPropertyNormal,
			  cudaAccessPropertyStreaming,
			  cudaAccessPropertyPersisting };
/* What of the L2 a stream's launches keep: nothing here depends on it. */
struct cudaAccessPolicyWindow {
	void *base_ptr;
	size_t num_bytes;
	float hitRatio;
	enum cudaAccessProperty hitProp, missProp;
};
typedef enum {
	cudaLaunchAttributeIgnore,
	cudaLaunchAttributeAccessPolicyWindow,
	cudaLaunchAttributeCooperative,
	cudaLaunchAttributeSynchronizationPolicy,
	cudaLaunchAttributeClusterDimension,
	cudaLaunchAttributeClusterSchedulingPolicyPreference,
	cudaLaunchAttributeProgrammaticStreamSerialization,
	cudaLaunchAttributeProgrammaticEvent,
	cudaLaunchAttributePriority,
	cudaLaunchAttributeMemSyncDomainMap,
	cudaLaunchAttributeMemSyncDomain,
	cudaLaunchAttributePreferredClusterDimension,
	cudaLaunchAttributeLaunchCompletionEvent,
	cudaLaunchAttributePreferredSharedMemoryCarveout = 14
} cudaLaunchAttributeID;
typedef union {
	char pad[64];
	struct cudaAccessPolicyWindow accessPolicyWindow;
	int cooperative, syncPolicy, priority;
	struct { unsigned int x, y, z; } clusterDim;
	int clusterSchedulingPolicyPreference;
	int programmaticStreamSerializationAllowed;
	unsigned int sharedMemCarveout;
} cudaLaunchAttributeValue;
typedef struct cudaLaunchAttribute_st {
	cudaLaunchAttributeID id;
	cudaLaunchAttributeValue val;
} cudaLaunchAttribute;
typedef struct cudaLaunchConfig_st {
	GEMMVIZ_DIM3 gridDim, blockDim;
	size_t dynamicSmemBytes;
	cudaStream_t stream;
	cudaLaunchAttribute *attrs;
	unsigned int numAttrs;
} cudaLaunchConfig_t;

typedef cudaLaunchAttributeID cudaStreamAttrID;
typedef cudaLaunchAttributeValue cudaStreamAttrValue;
#define cudaStreamAttributeAccessPolicyWindow \
	cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy \
	cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority cudaLaunchAttributePriority

enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal,
			     cudaStreamCaptureModeThreadLocal,
			     cudaStreamCaptureModeRelaxed };
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone,
			       cudaStreamCaptureStatusActive,
			       cudaStreamCaptureStatusInvalidated };
struct cudaKernelNodeParams {
	void *func;
	GEMMVIZ_DIM3 gridDim, blockDim;
	unsigned int sharedMemBytes;
	void **kernelParams, **extra;
};
struct cudaMemsetParams {
	void *dst;
	size_t pitch;
	unsigned int value, elementSize;
	size_t width, height;
};
struct cudaHostNodeParams {
	cudaHostFn_t fn;
	void *userData;
};
enum cudaGraphInstantiateFlags { cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
				 cudaGraphInstantiateFlagUpload = 2,
				 cudaGraphInstantiateFlagDeviceLaunch = 4,
				 cudaGraphInstantiateFlagUseNodePriority = 8 };
typedef unsigned long long cudaGraphConditionalHandle;
enum cudaGraphConditionalHandleFlags { cudaGraphCondAssignDefault = 1 };
enum cudaGraphConditionalNodeType { cudaGraphCondTypeIf, cudaGraphCondTypeWhile,
				    cudaGraphCondTypeSwitch };
struct cudaConditionalNodeParams {
	cudaGraphConditionalHandle handle;
	enum cudaGraphConditionalNodeType type;
	unsigned int size;
	cudaGraph_t *phGraph_out;
};
typedef struct {
	unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData;
enum cudaGraphExecUpdateResult { cudaGraphExecUpdateSuccess,
				 cudaGraphExecUpdateError };
typedef struct {
	enum cudaGraphExecUpdateResult result;
	cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;

struct cudaFuncAttributes {
	size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
	int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion;
	int cacheModeCA, maxDynamicSharedSizeBytes;
	int preferredShmemCarveout, clusterDimMustBeSet;
};

enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost,
		      cudaMemoryTypeDevice, cudaMemoryTypeManaged };
struct cudaPointerAttributes {
	enum cudaMemoryType type;
	int device;
	void *devicePointer, *hostPointer;
};

typedef struct CUuuid_st { char bytes[16]; } cudaUUID_t;

struct cudaDeviceProp {
	char name[256];
	cudaUUID_t uuid;
	char luid[8];
	unsigned int luidDeviceNodeMask;
	size_t totalGlobalMem, sharedMemPerBlock;
	int regsPerBlock, warpSize;
	size_t memPitch;
	int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
	size_t totalConstMem;
	int major, minor;
	size_t textureAlignment, texturePitchAlignment;
	int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled;
	int integrated, canMapHostMemory, computeMode;
	int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear;
	int maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3];
	int maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3];
	int maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3];
	int maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2];
	int maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3];
	int maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
	size_t surfaceAlignment;
	int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID;
	int tccDriver, asyncEngineCount, unifiedAddressing, memoryClockRate;
	int memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize;
	int maxThreadsPerMultiProcessor, streamPrioritiesSupported;
	int globalL1CacheSupported, localL1CacheSupported;
	size_t sharedMemPerMultiprocessor;
	int regsPerMultiprocessor, managedMemory, isMultiGpuBoard;
	int multiGpuBoardGroupID, hostNativeAtomicSupported;
	int singleToDoublePrecisionPerfRatio, pageableMemoryAccess;
	int concurrentManagedAccess, computePreemptionSupported;
	int canUseHostPointerForRegisteredMem, cooperativeLaunch;
	int cooperativeMultiDeviceLaunch;
	size_t sharedMemPerBlockOptin;
	int pageableMemoryAccessUsesHostPageTables;
	int directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
	int accessPolicyMaxWindowSize;
	size_t reservedSharedMemPerBlock;
	int hostRegisterSupported, sparseCudaArraySupported;
	int hostRegisterReadOnlySupported, timelineSemaphoreInteropSupported;
	int memoryPoolsSupported, gpuDirectRDMASupported;
	unsigned int gpuDirectRDMAFlushWritesOptions;
	int gpuDirectRDMAWritesOrdering;
	unsigned int memoryPoolSupportedHandleTypes;
	int deferredMappingCudaArraySupported, ipcEventSupported;
	int clusterLaunch, unifiedFunctionPointers;
};

/* X(name, number, the member of cudaDeviceProp or an expression) */
#define GEMMVIZ_CUDA_ATTRIBUTES(X) \
	X(MaxThreadsPerBlock, 1, p.maxThreadsPerBlock) \
	X(MaxBlockDimX, 2, p.maxThreadsDim[0]) \
	X(MaxBlockDimY, 3, p.maxThreadsDim[1]) \
	X(MaxBlockDimZ, 4, p.maxThreadsDim[2]) \
	X(MaxGridDimX, 5, p.maxGridSize[0]) \
	X(MaxGridDimY, 6, p.maxGridSize[1]) \
	X(MaxGridDimZ, 7, p.maxGridSize[2]) \
	X(MaxSharedMemoryPerBlock, 8, (int)p.sharedMemPerBlock) \
	X(TotalConstantMemory, 9, (int)p.totalConstMem) \
	X(WarpSize, 10, p.warpSize) \
	X(MaxPitch, 11, (int)p.memPitch) \
	X(MaxRegistersPerBlock, 12, p.regsPerBlock) \
	X(ClockRate, 13, p.clockRate) \
	X(TextureAlignment, 14, (int)p.textureAlignment) \
	X(GpuOverlap, 15, p.deviceOverlap) \
	X(MultiProcessorCount, 16, p.multiProcessorCount) \
	X(KernelExecTimeout, 17, p.kernelExecTimeoutEnabled) \
	X(Integrated, 18, p.integrated) \
	X(CanMapHostMemory, 19, p.canMapHostMemory) \
	X(ComputeMode, 20, p.computeMode) \
	X(MaxTexture1DWidth, 21, p.maxTexture1D) \
	X(MaxTexture2DWidth, 22, p.maxTexture2D[0]) \
	X(MaxTexture2DHeight, 23, p.maxTexture2D[1]) \
	X(MaxTexture3DWidth, 24, p.maxTexture3D[0]) \
	X(MaxTexture3DHeight, 25, p.maxTexture3D[1]) \
	X(MaxTexture3DDepth, 26, p.maxTexture3D[2]) \
	X(MaxTexture2DLayeredWidth, 27, p.maxTexture2DLayered[0]) \
	X(MaxTexture2DLayeredHeight, 28, p.maxTexture2DLayered[1]) \
	X(MaxTexture2DLayeredLayers, 29, p.maxTexture2DLayered[2]) \
	X(SurfaceAlignment, 30, (int)p.surfaceAlignment) \
	X(ConcurrentKernels, 31, p.concurrentKernels) \
	X(EccEnabled, 32, p.ECCEnabled) \
	X(PciBusId, 33, p.pciBusID) \
	X(PciDeviceId, 34, p.pciDeviceID) \
	X(TccDriver, 35, p.tccDriver) \
	X(MemoryClockRate, 36, p.memoryClockRate) \
	X(GlobalMemoryBusWidth, 37, p.memoryBusWidth) \
	X(L2CacheSize, 38, p.l2CacheSize) \
	X(MaxThreadsPerMultiProcessor, 39, p.maxThreadsPerMultiProcessor) \
	X(AsyncEngineCount, 40, p.asyncEngineCount) \
	X(UnifiedAddressing, 41, p.unifiedAddressing) \
	X(PciDomainId, 50, p.pciDomainID) \
	X(ComputeCapabilityMajor, 75, p.major) \
	X(ComputeCapabilityMinor, 76, p.minor) \
	X(StreamPrioritiesSupported, 78, p.streamPrioritiesSupported) \
	X(GlobalL1CacheSupported, 79, p.globalL1CacheSupported) \
	X(LocalL1CacheSupported, 80, p.localL1CacheSupported) \
	X(MaxSharedMemoryPerMultiprocessor, 81, \
	  (int)p.sharedMemPerMultiprocessor) \
	X(MaxRegistersPerMultiprocessor, 82, p.regsPerMultiprocessor) \
	X(ManagedMemory, 83, p.managedMemory) \
	X(IsMultiGpuBoard, 84, p.isMultiGpuBoard) \
	X(MultiGpuBoardGroupID, 85, p.multiGpuBoardGroupID) \
	X(HostNativeAtomicSupported, 86, p.hostNativeAtomicSupported) \
	X(SingleToDoublePrecisionPerfRatio, 87, \
	  p.singleToDoublePrecisionPerfRatio) \
	X(PageableMemoryAccess, 88, p.pageableMemoryAccess) \
	X(ConcurrentManagedAccess, 89, p.concurrentManagedAccess) \
	X(ComputePreemptionSupported, 90, p.computePreemptionSupported) \
	X(CanUseHostPointerForRegisteredMem, 91, \
	  p.canUseHostPointerForRegisteredMem) \
	X(CooperativeLaunch, 95, p.cooperativeLaunch) \
	X(CooperativeMultiDeviceLaunch, 96, p.cooperativeMultiDeviceLaunch) \
	X(MaxSharedMemoryPerBlockOptin, 97, (int)p.sharedMemPerBlockOptin) \
	X(CanFlushRemoteWrites, 98, 0) \
	X(HostRegisterSupported, 99, p.hostRegisterSupported) \
	X(PageableMemoryAccessUsesHostPageTables, 100, \
	  p.pageableMemoryAccessUsesHostPageTables) \
	X(DirectManagedMemAccessFromHost, 101, \
	  p.directManagedMemAccessFromHost) \
	X(MaxBlocksPerMultiprocessor, 106, p.maxBlocksPerMultiProcessor) \
	X(MaxPersistingL2CacheSize, 108, p.persistingL2CacheMaxSize) \
	X(MaxAccessPolicyWindowSize, 109, p.accessPolicyMaxWindowSize) \
	X(ReservedSharedMemoryPerBlock, 111, \
	  (int)p.reservedSharedMemPerBlock) \
	X(SparseCudaArraySupported, 112, p.sparseCudaArraySupported) \
	X(HostRegisterReadOnlySupported, 113, \
	  p.hostRegisterReadOnlySupported) \
	X(TimelineSemaphoreInteropSupported, 114, \
	  p.timelineSemaphoreInteropSupported) \
	X(MemoryPoolsSupported, 115, p.memoryPoolsSupported) \
	X(GPUDirectRDMASupported, 116, p.gpuDirectRDMASupported) \
	X(MemoryPoolSupportedHandleTypes, 119, \
	  (int)p.memoryPoolSupportedHandleTypes) \
	X(ClusterLaunch, 120, p.clusterLaunch) \
	X(DeferredMappingCudaArraySupported, 121, \
	  p.deferredMappingCudaArraySupported) \
	X(IpcEventSupport, 125, p.ipcEventSupported)
#define GEMMVIZ_CUDA_ATTRIBUTE(name, number, value) cudaDevAttr##name = number,
enum cudaDeviceAttr { GEMMVIZ_CUDA_ATTRIBUTES(GEMMVIZ_CUDA_ATTRIBUTE) };
#undef GEMMVIZ_CUDA_ATTRIBUTE

enum cudaFuncAttribute {
	cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
	cudaFuncAttributePreferredSharedMemoryCarveout = 9,
	cudaFuncAttributeClusterDimMustBeSet = 10,
	cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
};

#endif
