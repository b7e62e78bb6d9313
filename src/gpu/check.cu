/*
 * check: the program's own small kernels: inputs, and the error of an answer.
 * They are a module of their own; a kernel that is timed has none of them.
 *
 * `real` says what a pointer is to: enum real of matrices.h.
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef unsigned long long u64;

#define THREADS 256
enum real { REAL_F32, REAL_F16, REAL_BF16 };

/* splitmix64: the n-th number of a stream. */
static __device__ u64 random_at(u64 seed, u64 n)
{
	u64 z = seed + (n + 1) * 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static __device__ u64 thread_first(void)
{
	return (u64)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ u64 thread_step(void)
{
	return (u64)gridDim.x * blockDim.x;
}

static __device__ double element(const void *from, u64 i, int real)
{
	if (real == REAL_F16)
		return __half2float(((const __half *)from)[i]);
	if (real == REAL_BF16)
		return __bfloat162float(((const __nv_bfloat16 *)from)[i]);
	return ((const float *)from)[i];
}

/* Multiples of 2^-23, uniform in [-1, 1). */
extern "C" __global__ void gemmviz_fill(float *to, u64 n, u64 seed)
{
	for (u64 i = thread_first(); i < n; i += thread_step())
		to[i] = (float)(random_at(seed, i) >> 40) * 0x1p-23f - 1.0f;
}

extern "C" __global__ void gemmviz_round(void *to, const float *from, int real,
					 u64 n)
{
	for (u64 i = thread_first(); i < n; i += thread_step())
		if (real == REAL_F16)
			((__half *)to)[i] = __float2half_rn(from[i]);
		else
			((__nv_bfloat16 *)to)[i] = __float2bfloat16_rn(from[i]);
}

/* A part of a matrix, `columns` wide, of rows `pitch` elements apart. */
extern "C" __global__ void gemmviz_widen(double *to, const void *from,
					 int real, u64 n, u64 columns,
					 u64 pitch, u64 first)
{
	for (u64 i = thread_first(); i < n; i += thread_step())
		to[i] = element(from, first + i / columns * pitch +
				      i % columns, real);
}

/*
 * For each block the sums, over its elements, of (c - r)^2 and of r^2, and
 * how many c are NaN; a NaN makes the first sum NaN.
 */
extern "C" __global__ void gemmviz_compare(double *sums, const void *c,
					   int real, const double *r, u64 n)
{
	__shared__ double part[3][THREADS];
	double mine[3] = {};

	for (u64 i = thread_first(); i < n; i += thread_step()) {
		double have = element(c, i, real), d = have - r[i];

		mine[0] += d * d;
		mine[1] += r[i] * r[i];
		mine[2] += have != have;
	}
	for (int s = 0; s < 3; s++)
		part[s][threadIdx.x] = mine[s];
	for (int step = THREADS / 2; step; step /= 2) {
		__syncthreads();
		for (int s = 0; s < 3 && threadIdx.x < step; s++)
			part[s][threadIdx.x] += part[s][threadIdx.x + step];
	}
	if (threadIdx.x < 3)
		sums[blockIdx.x * 3 + threadIdx.x] = part[threadIdx.x][0];
}
