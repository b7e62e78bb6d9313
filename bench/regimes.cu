/*
 * regimes: what a figure of a product of matrices depends on besides the kernel;
 * prints JSON (data/README.md, "regimes-h100.json").
 *
 * cuBLAS and hgemm (src/kernels/hgemm.cu), bfloat16, n x n x n. Each figure is
 * TFLOP/s, the median of REPEATS samples, with
 *
 *   layout   nn: A and B by rows. tn: B by columns, as fast.cu and many
 *	      benchmarks have it; hgemm has none of it.
 *   data     uniform: in [-1, 1), as gemmviz time has it. normal: of variance
 *	      1. small: whole numbers from -2 to 2.
 *   regime   short: BURST launches after RESTS seconds of rest, the way of
 *	      benchmarks that print one figure. long: samples of BURST launches
 *	      one after the other, when SETTLE seconds have passed.
 *
 * All take turns, in an order that changes from round to round.
 *
 *   nvcc -std=c++17 -O3 -gencode=arch=compute_90a,code=sm_90a regimes.cu \
 *	-I../src/kernels -lcublas -lcuda
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <cublas_v2.h>
#include <cuda.h>
#include <unistd.h>

#define EXPONENT 8
#include "../src/kernels/hgemm.cu"

#define REPEATS 7
#define BURST 30
#define RESTS 1.0
#define SETTLE 0.5

static void check(int r, const char *what)
{
	if (r == 0)
		return;
	fprintf(stderr, "regimes: %s: error %d\n", what, r);
	exit(1);
}
#define TRY(call) check((int)(call), #call)

static int n = 8192;
static real *a[3], *b[3], *c;
static const char *const data_names[3] = { "uniform", "normal", "small" };

/* ---- data ---- */

static __device__ unsigned long long random_at(unsigned long long seed,
					       unsigned long long i)
{
	unsigned long long z = seed + (i + 1) * 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static __global__ void fill(real *to, unsigned long long count,
			    unsigned long long seed, int data)
{
	for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
	     i < count; i += gridDim.x * 256ull) {
		float u = (random_at(seed, 2 * i) >> 40) * 0x1p-24f;
		float v = (random_at(seed, 2 * i + 1) >> 40) * 0x1p-24f;

		to[i] = __float2bfloat16_rn(
			data == 0 ? 2 * u - 1 :
			data == 1 ? sqrtf(-2 * logf(u + 0x1p-25f)) *
				    cospif(2 * v) :
				    floorf(5 * u) - 2);
	}
}

/* ---- who multiplies ---- */

static cublasHandle_t blas;

static void cublas(bool by_columns, int data)
{
	const float one = 1, zero = 0;

	TRY(cublasGemmEx(blas, by_columns ? CUBLAS_OP_T : CUBLAS_OP_N,
			 CUBLAS_OP_N, n, n, n, &one, b[data], CUDA_R_16BF, n,
			 a[data], CUDA_R_16BF, n, &zero, c, CUDA_R_16BF, n,
			 CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

template <class T, int Rows, int Columns, int Swizzle>
static void map_to(tensor_map<T, Rows, Columns, Swizzle> *map, T *at)
{
	const cuuint64_t size[] = { (cuuint64_t)n, (cuuint64_t)n };
	const cuuint64_t pitch[] = { n * sizeof(real) };
	const cuuint32_t box[] = { Columns, Rows };
	const cuuint32_t step[] = { 1, 1 };

	static_assert(sizeof(*map) == sizeof(CUtensorMap), "a tensor map");
	TRY(cuTensorMapEncodeTiled((CUtensorMap *)map,
		CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, at, size, pitch, box,
		step, CU_TENSOR_MAP_INTERLEAVE_NONE,
		CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
		CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
}

static void ours(int data)
{
	static int blocks;
	size_t shared = sizeof(tiles);
	cudaLaunchAttribute cluster = {};
	cudaLaunchConfig_t how = {};
	tensor_map<real, BM / BESIDE, BK> A;
	tensor_map<real, BK / CLUSTER, 64> B;
	tensor_map<real, OUT, 64> C;

	cluster.id = cudaLaunchAttributeClusterDimension;
	cluster.val.clusterDim = { TOGETHER, 1, 1 };
	how.blockDim = dim3(THREADS);
	how.dynamicSmemBytes = shared;
	how.attrs = &cluster;
	how.numAttrs = 1;
	if (!blocks) {
		how.gridDim = dim3(TOGETHER);
		TRY(cudaFuncSetAttribute(hgemm,
			cudaFuncAttributeMaxDynamicSharedMemorySize,
			(int)shared));
		TRY(cudaOccupancyMaxActiveClusters(&blocks, hgemm, &how));
		blocks *= TOGETHER;
	}
	how.gridDim = dim3(blocks);
	map_to(&A, a[data]);
	map_to(&B, b[data]);
	map_to(&C, c);
	TRY(cudaLaunchKernelEx(&how, hgemm, A, B, C, n, n, n));
}

/* ---- time ---- */

static double burst(const std::function<void()> &one)
{
	static cudaEvent_t start, stop;
	float ms;

	if (!start) {
		TRY(cudaEventCreate(&start));
		TRY(cudaEventCreate(&stop));
	}
	TRY(cudaEventRecord(start));
	for (int i = 0; i < BURST; i++)
		one();
	TRY(cudaEventRecord(stop));
	TRY(cudaEventSynchronize(stop));
	TRY(cudaEventElapsedTime(&ms, start, stop));
	return 2.0 * n * n * n * BURST / (ms / 1e3) / 1e12;
}

struct racer {
	std::string name;
	std::function<void()> one;
	std::vector<double> rested, settled;
};

static double median(std::vector<double> v)
{
	std::sort(v.begin(), v.end());
	return v[v.size() / 2];
}

static double spread(const std::vector<double> &v)
{
	return (*std::max_element(v.begin(), v.end()) -
		*std::min_element(v.begin(), v.end())) / median(v);
}

/* Round after round another one comes first, and the way round changes. */
static racer &turn(std::vector<racer> &list, int round, size_t i)
{
	size_t k = round % 2 ? list.size() - 1 - i : i;

	return list[(k + round) % list.size()];
}

static void race(std::vector<racer> &list)
{
	double power;

	for (racer &r : list)
		burst(r.one);
	for (int round = 0; round < REPEATS; round++)
		for (size_t i = 0; i < list.size(); i++) {
			usleep((useconds_t)(RESTS * 1e6));
			racer &r = turn(list, round, i);
			r.rested.push_back(burst(r.one));
		}
	for (power = 0; power < SETTLE;)
		for (racer &r : list)
			power += 2.0 * n * n * n * BURST / 1e12 / burst(r.one);
	for (int round = 0; round < REPEATS; round++)
		for (size_t i = 0; i < list.size(); i++) {
			racer &r = turn(list, round, i);
			r.settled.push_back(burst(r.one));
		}
}

/* ---- whether ours is right ---- */

static double apart(int data)
{
	size_t count = (size_t)n * n;
	std::vector<__nv_bfloat16> x(count), y(count);
	double d = 0, s = 0;

	cublas(false, data);
	TRY(cudaMemcpy(x.data(), c, count * 2, cudaMemcpyDeviceToHost));
	TRY(cudaMemset(c, 0xff, count * 2));
	ours(data);
	TRY(cudaMemcpy(y.data(), c, count * 2, cudaMemcpyDeviceToHost));
	for (size_t i = 0; i < count; i += 97) {
		double want = __bfloat162float(x[i]);

		d += std::pow(__bfloat162float(y[i]) - want, 2);
		s += want * want;
	}
	return std::sqrt(d / s);
}

int main(int argc, char **argv)
{
	std::vector<racer> list;
	cudaDeviceProp p;
	int version;

	if (argc > 1)
		n = atoi(argv[1]);
	TRY(cudaGetDeviceProperties(&p, 0));
	TRY(cuInit(0));
	TRY(cublasCreate(&blas));
	TRY(cublasGetVersion(blas, &version));
	TRY(cudaMalloc(&c, (size_t)n * n * sizeof(real)));
	for (int d = 0; d < 3; d++) {
		TRY(cudaMalloc(&a[d], (size_t)n * n * sizeof(real)));
		TRY(cudaMalloc(&b[d], (size_t)n * n * sizeof(real)));
		fill<<<1024, 256>>>(a[d], (size_t)n * n, 1, d);
		fill<<<1024, 256>>>(b[d], (size_t)n * n, 2, d);
		if (!(apart(d) < 5e-3)) {
			fprintf(stderr, "regimes: hgemm is wrong\n");
			return 1;
		}
		std::string with = std::string("_") + data_names[d];
		list.push_back({ "cublas_nn" + with, [d] { cublas(false, d); } });
		list.push_back({ "cublas_tn" + with, [d] { cublas(true, d); } });
		list.push_back({ "hgemm_nn" + with, [d] { ours(d); } });
	}
	race(list);
	printf("{\"machine\":{\"gpu\":\"%s\",\"compute\":\"%d.%d\","
	       "\"sms\":%d,\"cublas\":%d},\n\"n\":%d,\"burst\":%d,"
	       "\"rest_seconds\":%g,\"tflops\":{", p.name, p.major, p.minor,
	       p.multiProcessorCount, version, n, BURST, RESTS);
	for (size_t i = 0; i < list.size(); i++) {
		const racer &r = list[i];

		printf("%s\n\"%s_short\":%.1f,\"%s_short_spread\":%.3f,"
		       "\"%s_long\":%.1f,\"%s_long_spread\":%.3f",
		       i ? "," : "", r.name.c_str(), median(r.rested),
		       r.name.c_str(), spread(r.rested), r.name.c_str(),
		       median(r.settled), r.name.c_str(), spread(r.settled));
	}
	printf("}}\n");
	return 0;
}
