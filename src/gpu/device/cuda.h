/*
 * cuda: NVIDIA's libraries, opened while running, so that the program itself
 * needs none of them to start. cuda.F is the driver's cuF, blas.F cuBLAS's
 * cublasF, blas_lt.F cublasLtF, and so on; a library's functions may be called once its *_open() has
 * returned 0.
 */
#ifndef GPU_DEVICE_CUDA_H
#define GPU_DEVICE_CUDA_H

#include <cuda.h>
#include <cudaTypedefs.h>
#include <cublasLt.h>
#include <cublas_v2.h>

#include "base/base.h"

/* cudaTypedefs.h has none of the profiler's. */
typedef CUresult (CUDAAPI *cuda_profiler)(void);

/* The names are those of the oldest driver that has a function of this type:
 * cuda.h would ask for the newest. */
#define CUDA_FUNCTIONS(F) \
	F(Init, PFN_cuInit_v2000, "cuInit") \
	F(DriverGetVersion, PFN_cuDriverGetVersion_v2020, \
	  "cuDriverGetVersion") \
	F(GetErrorString, PFN_cuGetErrorString_v6000, "cuGetErrorString") \
	F(DeviceGetCount, PFN_cuDeviceGetCount_v2000, "cuDeviceGetCount") \
	F(DeviceGet, PFN_cuDeviceGet_v2000, "cuDeviceGet") \
	F(DeviceGetName, PFN_cuDeviceGetName_v2000, "cuDeviceGetName") \
	F(DeviceGetUuid, PFN_cuDeviceGetUuid_v9020, "cuDeviceGetUuid") \
	F(DeviceGetAttribute, PFN_cuDeviceGetAttribute_v2000, \
	  "cuDeviceGetAttribute") \
	F(DeviceTotalMem, PFN_cuDeviceTotalMem_v3020, "cuDeviceTotalMem_v2") \
	F(DevicePrimaryCtxRetain, PFN_cuDevicePrimaryCtxRetain_v7000, \
	  "cuDevicePrimaryCtxRetain") \
	F(CtxSetCurrent, PFN_cuCtxSetCurrent_v4000, "cuCtxSetCurrent") \
	F(CtxSynchronize, PFN_cuCtxSynchronize_v2000, "cuCtxSynchronize") \
	F(StreamQuery, PFN_cuStreamQuery_v2000, "cuStreamQuery") \
	F(MemGetInfo, PFN_cuMemGetInfo_v3020, "cuMemGetInfo_v2") \
	F(MemAlloc, PFN_cuMemAlloc_v3020, "cuMemAlloc_v2") \
	F(MemFree, PFN_cuMemFree_v3020, "cuMemFree_v2") \
	F(MemcpyHtoD, PFN_cuMemcpyHtoD_v3020, "cuMemcpyHtoD_v2") \
	F(Memcpy2D, PFN_cuMemcpy2D_v3020, "cuMemcpy2D_v2") \
	F(MemcpyDtoH, PFN_cuMemcpyDtoH_v3020, "cuMemcpyDtoH_v2") \
	F(MemcpyDtoD, PFN_cuMemcpyDtoD_v3020, "cuMemcpyDtoD_v2") \
	F(MemsetD8, PFN_cuMemsetD8_v3020, "cuMemsetD8_v2") \
	F(ModuleLoadDataEx, PFN_cuModuleLoadDataEx_v2010, \
	  "cuModuleLoadDataEx") \
	F(ModuleUnload, PFN_cuModuleUnload_v2000, "cuModuleUnload") \
	F(ModuleGetFunction, PFN_cuModuleGetFunction_v2000, \
	  "cuModuleGetFunction") \
	F(ModuleGetGlobal, PFN_cuModuleGetGlobal_v3020, \
	  "cuModuleGetGlobal_v2") \
	F(FuncGetAttribute, PFN_cuFuncGetAttribute_v2020, \
	  "cuFuncGetAttribute") \
	F(FuncSetAttribute, PFN_cuFuncSetAttribute_v9000, \
	  "cuFuncSetAttribute") \
	F(LaunchKernel, PFN_cuLaunchKernel_v4000, "cuLaunchKernel") \
	F(OccupancyMaxActiveBlocksPerMultiprocessor, \
	  PFN_cuOccupancyMaxActiveBlocksPerMultiprocessor_v6050, \
	  "cuOccupancyMaxActiveBlocksPerMultiprocessor") \
	F(EventCreate, PFN_cuEventCreate_v2000, "cuEventCreate") \
	F(EventRecord, PFN_cuEventRecord_v2000, "cuEventRecord") \
	F(EventSynchronize, PFN_cuEventSynchronize_v2000, \
	  "cuEventSynchronize") \
	F(EventElapsedTime, PFN_cuEventElapsedTime_v2000, \
	  "cuEventElapsedTime") \
	F(ProfilerStart, cuda_profiler, "cuProfilerStart")

/* What older drivers do without: NULL there. */
#define CUDA_NEWER(F) \
	F(LaunchKernelEx, PFN_cuLaunchKernelEx_v11060, "cuLaunchKernelEx") \
	F(OccupancyMaxActiveClusters, \
	  PFN_cuOccupancyMaxActiveClusters_v11070, \
	  "cuOccupancyMaxActiveClusters") \
	F(TensorMapEncodeTiled, PFN_cuTensorMapEncodeTiled_v12000, \
	  "cuTensorMapEncodeTiled")

#define BLAS_FUNCTIONS(F) \
	F(Create, cublasCreate_v2) \
	F(Destroy, cublasDestroy_v2) \
	F(GetProperty, cublasGetProperty) \
	F(GemmEx, cublasGemmEx) \
	F(GetStatusString, cublasGetStatusString)

#define LT_FUNCTIONS(F) \
	F(Create, cublasLtCreate) \
	F(GetStatusString, cublasLtGetStatusString) \
	F(MatmulDescCreate, cublasLtMatmulDescCreate) \
	F(MatmulDescDestroy, cublasLtMatmulDescDestroy) \
	F(MatrixLayoutCreate, cublasLtMatrixLayoutCreate) \
	F(MatrixLayoutDestroy, cublasLtMatrixLayoutDestroy) \
	F(MatmulPreferenceCreate, cublasLtMatmulPreferenceCreate) \
	F(MatmulPreferenceDestroy, cublasLtMatmulPreferenceDestroy) \
	F(MatmulPreferenceSetAttribute, cublasLtMatmulPreferenceSetAttribute) \
	F(MatmulAlgoGetHeuristic, cublasLtMatmulAlgoGetHeuristic) \
	F(Matmul, cublasLtMatmul)

/* NVML's header is not in every toolkit; these never changed. */
typedef struct nvml_device *nvml_device;
enum { NVML_CLOCK_SM = 1, NVML_TEMPERATURE_GPU = 0, NVML_TEXT = 96 };

#define NVML_FUNCTIONS(F) \
	F(Init, int (*)(void), "nvmlInit_v2") \
	F(SystemGetDriverVersion, int (*)(char *, unsigned), \
	  "nvmlSystemGetDriverVersion") \
	F(DeviceGetHandleByUUID, int (*)(const char *, nvml_device *), \
	  "nvmlDeviceGetHandleByUUID") \
	F(DeviceGetClockInfo, int (*)(nvml_device, int, unsigned *), \
	  "nvmlDeviceGetClockInfo") \
	F(DeviceGetPowerUsage, int (*)(nvml_device, unsigned *), \
	  "nvmlDeviceGetPowerUsage") \
	F(DeviceGetTemperature, int (*)(nvml_device, int, unsigned *), \
	  "nvmlDeviceGetTemperature")

#define CUDA_MEMBER(name, type, symbol) type name;
#define OWN_MEMBER(name, symbol) __typeof__(&symbol) name;
#define NVML_MEMBER(name, type, symbol) __typeof__(type) name;

struct cuda { CUDA_FUNCTIONS(CUDA_MEMBER) CUDA_NEWER(CUDA_MEMBER) };
struct blas { BLAS_FUNCTIONS(OWN_MEMBER) };
struct blas_lt { LT_FUNCTIONS(OWN_MEMBER) };
struct nvml { NVML_FUNCTIONS(NVML_MEMBER) };

extern struct cuda cuda;
extern struct blas blas;
extern struct blas_lt blas_lt;
extern struct nvml nvml;

/*
 * Each opens its library once and remembers how that went. The sentence says
 * what is missing. cuda_open() also starts the driver and has EXIT_GPU for
 * everything that keeps a GPU from being used; the others have EXIT_RUNNER.
 */
int cuda_open(struct error *e);
int blas_open(struct error *e);
int blas_lt_open(struct error *e);
int nvml_open(struct error *e);

/*
 * The one way to call the driver: CUDA_TRY(e, MemAlloc, &p, n) is 0, or -1
 * with "cuMemAlloc: out of memory" in e.
 */
#define CUDA_TRY(e, name, ...) \
	cuda_check(e, "cu" #name, cuda.name(__VA_ARGS__))
/* The same of one that may be NULL. */
#define CUDA_TRY_NEWER(e, name, ...) \
	cuda_check(e, "cu" #name, cuda.name ? cuda.name(__VA_ARGS__) : \
		   CUDA_ERROR_NOT_SUPPORTED)
int cuda_check(struct error *e, const char *what, CUresult r);
#define BLAS_TRY(e, name, ...) \
	blas_check(e, "cublas" #name, blas.name(__VA_ARGS__))
#define LT_TRY(e, name, ...) \
	blas_lt_check(e, "cublasLt" #name, blas_lt.name(__VA_ARGS__))
int blas_check(struct error *e, const char *what, cublasStatus_t r);
int blas_lt_check(struct error *e, const char *what, cublasStatus_t r);
/* Returns the result of the last call that was checked. */
CUresult cuda_last(void);
/* Tests for results after which the process can no longer use the GPU. */
bool cuda_sticky(CUresult r);

#endif
