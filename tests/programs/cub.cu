// CUB's blocks and warps, and what it does for a whole device.
#include <cstdio>

#include <cub/cub.cuh>

// CUDA's headers bring it along, and programs count on that.
static_assert(std::chrono::seconds(1).count() == 1, "");

static int wrong;

static void is(const char *what, double got, double want)
{
	if (got != want) {
		printf("WRONG %s: %g, not %g\n", what, got, want);
		wrong++;
	}
}

struct both { double a, b; };
struct add_both {
	__device__ both operator()(const both &x, const both &y) const
	{ return both{ x.a + y.a, x.b + y.b }; }
};

template <int Threads> __global__ void sums(const float *from, float *to)
{
	typedef cub::BlockReduce<float, Threads> Reduce;
	typedef cub::BlockReduce<both, Threads> Reduce2;
	__shared__ union {
		typename Reduce::TempStorage one;
		typename Reduce2::TempStorage two;
	} temp;
	float v = from[threadIdx.x];
	float sum = Reduce(temp.one).Sum(v);
	__syncthreads();
	float most = Reduce(temp.one).Reduce(v, cub::Max(), 50);
	__syncthreads();
	both b = Reduce2(temp.two).Reduce(both{ v, 1 }, add_both());

	if (threadIdx.x == 0) {
		to[0] = sum;
		to[1] = most;
		to[2] = b.a;
		to[3] = b.b;
	}
}

template <int Threads> __global__ void scans(const int *from, int *to, int *all)
{
	typedef cub::BlockScan<int, Threads> Scan;
	__shared__ typename Scan::TempStorage temp;
	int up, with, most, total;

	Scan(temp).ExclusiveSum(from[threadIdx.x], up, total);
	__syncthreads();
	Scan(temp).InclusiveSum(from[threadIdx.x], with);
	__syncthreads();
	Scan(temp).ExclusiveScan(from[threadIdx.x], most, -1, cub::Max());
	to[threadIdx.x] = up * 10000 + with;
	all[threadIdx.x] = threadIdx.x == 3 ? most : total;
}

__global__ void warps(const int *from, int *to)
{
	typedef cub::WarpReduce<int, 8> Reduce;
	typedef cub::WarpScan<int> Scan;
	__shared__ typename Reduce::TempStorage r[8];
	__shared__ typename Scan::TempStorage s;
	int sum = Reduce(r[threadIdx.x / 8]).Sum(from[threadIdx.x]), up;

	Scan(s).ExclusiveSum(from[threadIdx.x], up);
	to[threadIdx.x] = threadIdx.x % 8 == 0 ? sum : up;
}

int main()
{
	const int n = 96;
	float *x, *y;
	int *v, *w, *all;
	void *temp = nullptr;
	size_t bytes = 0;

	cudaMallocManaged(&x, n * sizeof(float));
	cudaMallocManaged(&y, n * sizeof(float));
	cudaMallocManaged(&v, n * sizeof(int));
	cudaMallocManaged(&w, n * sizeof(int));
	cudaMallocManaged(&all, n * sizeof(int));
	for (int i = 0; i < n; i++) {
		x[i] = i;
		v[i] = i * 7 % 10;
	}
	sums<n><<<1, n>>>(x, y);
	cudaDeviceSynchronize();
	is("sum", y[0], 95 * 96 / 2);
	is("of the first 50", y[1], 49);
	is("structures", y[2] + y[3], 95 * 96 / 2 + 96);
	scans<n><<<1, n>>>(v, w, all);
	cudaDeviceSynchronize();
	int up = 0, most = -1;
	for (int i = 0; i < n; i++) {
		is("scan", w[i], up * 10000 + up + v[i]);
		if (i == 3)
			is("running maximum", all[i], most);
		up += v[i];
		most = v[i] > most ? v[i] : most;
	}
	is("total", all[0], up);
	warps<<<1, 64>>>(v, w);
	cudaDeviceSynchronize();
	is("eight lanes", w[8], v[8] + v[9] + v[10] + v[11] + v[12] + v[13] +
				v[14] + v[15]);
	is("a warp's", w[35], v[32] + v[33] + v[34]);
	cub::DeviceReduce::Sum(temp, bytes, v, w, n);
	cudaMalloc(&temp, bytes);
	cub::DeviceReduce::Sum(temp, bytes, v, w, n);
	is("device", w[0], up);
	cub::DeviceScan::ExclusiveSum(temp, bytes, v, w, n);
	is("device scan", w[4], v[0] + v[1] + v[2] + v[3]);
	cub::DeviceRadixSort::SortPairs(temp, bytes, v, w, v, all, n);
	is("sorted", w[n - 1], 9);
	puts(wrong ? "FAIL" : "PASS");
	cudaFree(temp);
	cudaFree(x);
	cudaFree(y);
	cudaFree(v);
	cudaFree(w);
	cudaFree(all);
	return wrong;
}
