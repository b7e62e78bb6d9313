/*
 * fake_cuda: stands in for libcuda.so.1 and libcublas.so.13 where there is no
 * GPU, so that gemmviz-gpu's own part can be tested: memory is the host's,
 * and a kernel is told by its name. What a name says happens: "faults",
 * "hangs", "wrong", "unwritten", "crashes", "adds" to C; every other computes
 * A B, of the types that are in its name, as the linker has it. With tensor
 * maps all three are of one type.
 *
 * FAKE_CUDA_GPU: a number, which GPU it is, so that tests do not queue for each
 * other's. FAKE_CUDA_ARCH: its architecture, as 86. FAKE_CUDA_MEMORY: bytes
 * there are. FAKE_CUDA_LOST: a file; when it is there, so is no GPU.
 */
#include <cuda.h>
#include <cublas_v2.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fake_calibrate.h"

typedef unsigned long long u64;

static bool broken;
static double ahead;		/* of the clock: what kernels would have taken */
static size_t used;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void fake_spend(double seconds)
{
	ahead += seconds;
}

static CUresult good(void)
{
	return broken ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_SUCCESS;
}

CUresult cuInit(unsigned flags)
{
	const char *lost = getenv("FAKE_CUDA_LOST");

	(void)flags;
	return lost && access(lost, F_OK) == 0 ? CUDA_ERROR_NO_DEVICE :
						 CUDA_SUCCESS;
}

/* NVRTC asks for it. */
CUresult cuGetExportTable(const void **table, const CUuuid *id)
{
	(void)table;
	(void)id;
	return CUDA_ERROR_NOT_FOUND;
}

CUresult cuDriverGetVersion(int *v)
{
	*v = 13000;
	return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult r, const char **text)
{
	*text = r == CUDA_ERROR_ILLEGAL_ADDRESS ?
		"an illegal memory access was encountered" :
		r == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" :
		"something else";
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *n)
{
	*n = 1;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *d, int i)
{
	*d = i;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int n, CUdevice d)
{
	(void)d;
	strncpy(name, "Fake GPU", (size_t)n);
	return CUDA_SUCCESS;
}

#undef cuDeviceGetUuid
CUresult cuDeviceGetUuid(CUuuid *id, CUdevice d)
{
	const char *number = getenv("FAKE_CUDA_GPU");
	long n = number ? atol(number) : 0;

	(void)d;
	memset(id, 0x5a, sizeof(*id));
	memcpy(id, &n, sizeof(n));
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *v, CUdevice_attribute a, CUdevice d)
{
	const char *word = getenv("FAKE_CUDA_ARCH");
	int arch = word ? atoi(word) : 90;

	(void)d;
	*v = a == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? arch / 10 :
	     a == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? arch % 10 :
	     a == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN ?
	     227 << 10 : a == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE ? 32 << 20 :
	     65536;
	return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t *n, CUdevice d)
{
	const char *memory = getenv("FAKE_CUDA_MEMORY");

	(void)d;
	*n = memory ? strtoull(memory, NULL, 10) : 1ull << 32;
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice d)
{
	(void)d;
	*c = (CUcontext)&used;
	return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext c)
{
	(void)c;
	return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void)
{
	return good();
}

CUresult cuStreamQuery(CUstream stream)
{
	(void)stream;
	return good();
}

CUresult cuMemGetInfo_v2(size_t *left, size_t *all)
{
	cuDeviceTotalMem_v2(all, 0);
	*left = *all - used;
	return good();
}

/* An allocation has its size in front. */
CUresult cuMemAlloc_v2(CUdeviceptr *p, size_t n)
{
	size_t all;
	char *got;

	cuDeviceTotalMem_v2(&all, 0);
	if (broken)
		return good();
	if (used + n > all)
		return CUDA_ERROR_OUT_OF_MEMORY;
	got = calloc(n + 256, 1);
	memcpy(got, &n, sizeof(n));
	used += n;
	*p = (CUdeviceptr)(uintptr_t)(got + 256);
	return CUDA_SUCCESS;
}

CUresult cuMemFree_v2(CUdeviceptr p)
{
	char *got = (char *)(uintptr_t)p - 256;
	size_t n;

	memcpy(&n, got, sizeof(n));
	used -= n;
	free(got);
	return good();
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t n)
{
	memcpy((void *)(uintptr_t)to, from, n);
	return good();
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t n)
{
	memcpy(to, (void *)(uintptr_t)from, n);
	return good();
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t n)
{
	memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, n);
	return good();
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *c)
{
	for (size_t row = 0; row < c->Height; row++)
		memcpy((char *)(uintptr_t)c->dstDevice + row * c->dstPitch,
		       (char *)(uintptr_t)c->srcDevice + row * c->srcPitch,
		       c->WidthInBytes);
	return good();
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char c, size_t n)
{
	memset((void *)(uintptr_t)to, c, n);
	return good();
}

CUresult cuModuleLoadDataEx(CUmodule *m, const void *image, unsigned n,
			    CUjit_option *o, void **v)
{
	(void)image;
	(void)n;
	(void)o;
	(void)v;
	*m = (CUmodule)&used;
	return good();
}

CUresult cuModuleUnload(CUmodule m)
{
	(void)m;
	return good();
}

CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name)
{
	(void)m;
	*f = (CUfunction)strdup(name);
	return good();
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *p, size_t *n, CUmodule m,
			      const char *name)
{
	(void)p;
	(void)n;
	(void)m;
	(void)name;
	return CUDA_ERROR_NOT_FOUND;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, CUfunction f,
						     int threads, size_t bytes)
{
	(void)f, (void)threads, (void)bytes;
	*n = 1;
	return good();
}

CUresult cuFuncGetAttribute(int *v, CUfunction_attribute a, CUfunction f)
{
	(void)f;
	*v = a == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024 : 32;
	return good();
}

CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute a, int v)
{
	(void)f;
	(void)a;
	(void)v;
	return good();
}

/* ---- kernels ---- */

/* 16-bit reals, without the smallest, infinity and NaN that is not all ones:
 * not every compiler has a type for them. */
static double half_double(uint16_t h)
{
	double d = ldexp(1024 + (h & 1023), (h >> 10 & 31) - 25);

	if (h == UINT16_MAX)
		return NAN;
	return (h & 0x7fff) == 0 ? 0 : h >> 15 ? -d : d;
}

static uint16_t half_from(double d)
{
	int exponent, bits;

	if (fabs(d) < 0x1p-14)
		return 0;
	bits = (int)nearbyint(ldexp(frexp(fabs(d), &exponent), 11));
	return (uint16_t)((d < 0) << 15 | (((exponent + 13) << 10) + bits));
}

static double bfloat_double(uint16_t h)
{
	uint32_t bits = (uint32_t)h << 16;
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static uint16_t bfloat_from(double d)
{
	float f = (float)d;
	uint32_t bits;

	memcpy(&bits, &f, sizeof(f));
	return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

enum { F32, F16, BF16 };	/* as check.cu has them */

static double real(const void *from, u64 i, int type)
{
	return type == F16 ? half_double(((const uint16_t *)from)[i]) :
	       type == BF16 ? bfloat_double(((const uint16_t *)from)[i]) :
			      (double)((const float *)from)[i];
}

static void real_set(void *to, u64 i, int type, double d)
{
	if (type == F32)
		((float *)to)[i] = (float)d;
	else
		((uint16_t *)to)[i] = type == F16 ? half_from(d) :
						    bfloat_from(d);
}

static u64 random_at(u64 seed, u64 n)
{
	u64 z = seed + (n + 1) * 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static void fill(void **a)
{
	float *to = *(float **)a[0];

	for (u64 i = 0; i < *(u64 *)a[1]; i++)
		to[i] = (float)(random_at(*(u64 *)a[2], i) >> 40) * 0x1p-23f -
			1.0f;
}

static void round_to(void **a)
{
	float *from = *(float **)a[1];

	for (u64 i = 0; i < *(u64 *)a[3]; i++)
		real_set(*(void **)a[0], i, *(int *)a[2], from[i]);
}

static void widen(void **a)
{
	double *to = *(double **)a[0];
	u64 columns = *(u64 *)a[4], pitch = *(u64 *)a[5];

	for (u64 i = 0; i < *(u64 *)a[3]; i++)
		to[i] = real(*(void **)a[1], *(u64 *)a[6] +
			     i / columns * pitch + i % columns,
			     *(int *)a[2]);
}

static void compare(void **a)
{
	double (*sums)[3] = *(void **)a[0], *r = *(double **)a[3];

	memset(sums, 0, 1024 * sizeof(*sums));
	for (u64 i = 0; i < *(u64 *)a[4]; i++) {
		double have = real(*(void **)a[1], i, *(int *)a[2]);

		sums[i % 1024][0] += (have - r[i]) * (have - r[i]);
		sums[i % 1024][1] += r[i] * r[i];
		sums[i % 1024][2] += have != have;
	}
}

/* "Pf" is a C of float. */
static void product(const char *name, void **a)
{
	int in = strstr(name, "6__half") ? F16 :
		 strstr(name, "13__nv_bfloat16") ? BF16 : F32;
	int out = strstr(name, "Pf") ? F32 : in;
	const void *A = *(void **)a[0], *B = *(void **)a[1];
	u64 M = *(unsigned *)a[3], N = *(unsigned *)a[4], K = *(unsigned *)a[5];

	for (u64 i = 0; i < M; i++)
		for (u64 j = 0; j < N; j++) {
			float sum = 0;

			for (u64 k = 0; k < K; k++)
				sum += (float)(real(A, i * K + k, in) *
					       real(B, k * N + j, in));
			if (strstr(name, "wrong") && (i * N + j) % 100 == 0)
				sum -= (float)(real(A, i * K, in) *
					       real(B, j, in));
			if (strstr(name, "adds"))
				sum += (float)real(*(void **)a[2], i * N + j,
						   out);
			if (!strstr(name, "unwritten") || i || j)
				real_set(*(void **)a[2], i * N + j, out, sum);
		}
}

/* What a tensor map is here. */
struct map {
	void *at;
	u64 rows, columns;
	int type;
};

CUresult cuTensorMapEncodeTiled(CUtensorMap *m, CUtensorMapDataType type,
				unsigned rank, void *at, const cuuint64_t *size,
				const cuuint64_t *pitch, const cuuint32_t *box,
				const cuuint32_t *step,
				CUtensorMapInterleave interleave,
				CUtensorMapSwizzle swizzle,
				CUtensorMapL2promotion promotion,
				CUtensorMapFloatOOBfill fill)
{
	struct map own = { at, size[1], size[0],
			   type == CU_TENSOR_MAP_DATA_TYPE_FLOAT16 ? F16 :
			   type == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 ? BF16 :
								      F32 };

	(void)step, (void)interleave, (void)swizzle, (void)promotion;
	(void)fill;
	if ((uintptr_t)m % _Alignof(CUtensorMap) || rank != 2 || pitch[0] != size[0] * (own.type == F32 ? 4 : 2) ||
	    box[0] - 1 >= 256 || box[1] - 1 >= 256)
		return CUDA_ERROR_INVALID_VALUE;
	memset(m, 0, sizeof(*m));
	memcpy(m, &own, sizeof(own));
	return CUDA_SUCCESS;
}

static void mapped_product(const char *name, void **a)
{
	const struct map *A = a[0], *B = a[1], *C = a[2];
	void *c = strstr(name, "P6__half") || strstr(name, "PS") ||
		  strstr(name, "P13") ? *(void **)a[2] : C->at;
	u64 n = B->columns;

	for (u64 i = 0; i < A->rows; i++)
		for (u64 j = 0; j < n; j++) {
			double sum = 0;

			for (u64 k = 0; k < A->columns; k++)
				sum += real(A->at, i * A->columns + k,
					    A->type) *
				       real(B->at, k * n + j, B->type);
			real_set(c, i * n + j, A->type, sum);
		}
}

CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz,
			unsigned bx, unsigned by, unsigned bz, unsigned shared,
			CUstream stream, void **a, void **extra)
{
	const char *name = (const char *)f;
	double seconds = 0;

	(void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz;
	(void)shared, (void)stream, (void)extra;
	if (broken)
		return good();
	if (fake_calibrate(name, gx, bx, a, &seconds))
		ahead += seconds;
	else if (strstr(name, "gemmviz_fill"))
		fill(a);
	else if (strstr(name, "gemmviz_round"))
		round_to(a);
	else if (strstr(name, "gemmviz_widen"))
		widen(a);
	else if (strstr(name, "gemmviz_compare"))
		compare(a);
	else if (strstr(name, "faults"))
		broken = true;
	else if (strstr(name, "crashes"))
		raise(SIGSEGV);
	else if (strstr(name, "hangs"))
		for (;;)
			pause();
	else if (strstr(name, "tensor_map"))
		mapped_product(name, a);
	else
		product(name, a);
	return CUDA_SUCCESS;
}

/* Only kernels that wait for the launch before may start early. */
CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction f, void **a,
			  void **extra)
{
	const char *name = (const char *)f;

	for (unsigned i = 0; i < c->numAttrs; i++) {
		const CUlaunchAttribute *t = &c->attrs[i];

		if (t->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION &&
		    c->gridDimX % t->value.clusterDim.x == 0)
			continue;
		if (t->id != CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION ||
		    !strstr(name, "gemm"))
			return CUDA_ERROR_INVALID_CLUSTER_SIZE;
	}
	return cuLaunchKernel(f, c->gridDimX, c->gridDimY, c->gridDimZ,
			      c->blockDimX, c->blockDimY, c->blockDimZ,
			      c->sharedMemBytes, c->hStream, a, extra);
}

CUresult cuOccupancyMaxActiveClusters(int *n, CUfunction f,
				      const CUlaunchConfig *c)
{
	(void)f, (void)c;
	*n = 66;
	return good();
}

/* ---- events ---- */

CUresult cuEventCreate(CUevent *e, unsigned flags)
{
	(void)flags;
	*e = calloc(1, sizeof(double));
	return good();
}

CUresult cuEventRecord(CUevent e, CUstream s)
{
	(void)s;
	*(double *)e = now() + ahead;
	return good();
}

CUresult cuEventSynchronize(CUevent e)
{
	(void)e;
	return good();
}

CUresult cuProfilerStart(void)
{
	return good();
}

#undef cuEventElapsedTime
CUresult cuEventElapsedTime(float *ms, CUevent from, CUevent to)
{
	*ms = (float)((*(double *)to - *(double *)from) * 1e3);
	return good();
}

/* ---- cuBLAS ---- */

cublasStatus_t cublasCreate_v2(cublasHandle_t *h)
{
	*h = (cublasHandle_t)&used;
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t h)
{
	(void)h;
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *v)
{
	*v = 13 - (int)type;
	return CUBLAS_STATUS_SUCCESS;
}

const char *cublasGetStatusString(cublasStatus_t s)
{
	return s ? "failed" : "success";
}

static int type_of(cudaDataType type)
{
	return type == CUDA_R_16F ? F16 : type == CUDA_R_16BF ? BF16 : F32;
}

static double any(const void *p, size_t i, cudaDataType type)
{
	return type == CUDA_R_64F ? ((const double *)p)[i] :
				    real(p, i, type_of(type));
}

cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t ta,
			    cublasOperation_t tb, int m, int n, int k,
			    const void *alpha, const void *A,
			    cudaDataType type, int lda, const void *B,
			    cudaDataType b, int ldb, const void *beta, void *C,
			    cudaDataType c, int ldc,
			    cublasComputeType_t computing,
			    cublasGemmAlgo_t algo)
{
	(void)h, (void)ta, (void)tb, (void)alpha, (void)beta, (void)b;
	(void)c, (void)computing, (void)algo;
	for (int j = 0; j < n; j++)
		for (int i = 0; i < m; i++) {
			size_t at = (size_t)j * (size_t)ldc + (size_t)i;
			double sum = 0;

			for (int l = 0; l < k; l++)
				sum += any(A, (size_t)l * (size_t)lda +
					   (size_t)i, type) *
				       any(B, (size_t)j * (size_t)ldb +
					   (size_t)l, type);
			if (type == CUDA_R_64F)
				((double *)C)[at] = sum;
			else
				real_set(C, at, type_of(type), sum);
		}
	return CUBLAS_STATUS_SUCCESS;
}
