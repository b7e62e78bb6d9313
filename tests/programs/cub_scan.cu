// CUB's scans of blocks, by an operator of the program's own. What it prints is
// what CUB 13.0 gives on a GPU.
#include <cstdio>

#include <cub/cub.cuh>

struct plus {
	template <class T> __host__ __device__ T operator()(T a, T b) const
	{ return a + b; }
};

template <int N> __global__ void inclusive(const int *x, int *y)
{
	typedef cub::BlockScan<int, N> Scan;
	__shared__ typename Scan::TempStorage temp;
	int v = x[threadIdx.x];

	Scan(temp).InclusiveSum(v, v);
	y[threadIdx.x] = v;
}

template <int N> __global__ void exclusive(const int *x, int *y)
{
	typedef cub::BlockScan<int, N> Scan;
	__shared__ typename Scan::TempStorage temp;
	int v = x[threadIdx.x], all;

	Scan(temp).ExclusiveScan(v, v, 1000, plus(), all);
	y[threadIdx.x] = v;
	if (threadIdx.x == 0)
		y[N] = all;
}

template <int N> __global__ void threes(const int *x, int *y)
{
	typedef cub::BlockScan<int, N> Scan;
	__shared__ typename Scan::TempStorage temp;
	int own = threadIdx.x * 3, v[3], all;

	for (int i = 0; i < 3; i++)
		v[i] = x[own + i];
	Scan(temp).ExclusiveSum(v, v, all);
	for (int i = 0; i < 3; i++)
		y[own + i] = v[i];
	__syncthreads();
	for (int i = 0; i < 3; i++)
		v[i] = x[own + i];
	Scan(temp).InclusiveScan(v, v, plus(), all);
	for (int i = 0; i < 3; i++)
		y[N * 3 + own + i] = v[i];
}

static int *x, *y;

static void tell(const char *what, int n)
{
	static int got[768];
	unsigned sum = 0;

	cudaMemcpy(got, y, n * sizeof(int), cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		sum = sum * 31 + got[i];
	printf("%s %08x %d\n", what, sum, got[n - 1]);
}

int main()
{
	int from[400];

	for (int i = 0; i < 400; i++)
		from[i] = i * 7 % 11;
	cudaMalloc(&x, sizeof(from));
	cudaMalloc(&y, 768 * sizeof(int));
	cudaMemcpy(x, from, sizeof(from), cudaMemcpyHostToDevice);
	exclusive<96><<<1, 96>>>(x, y);
	tell("exclusive 96", 97);
	exclusive<64><<<1, 64>>>(x, y);
	tell("exclusive 64", 65);
	exclusive<32><<<1, 32>>>(x, y);
	tell("exclusive 32", 33);
	inclusive<96><<<1, 96>>>(x, y);
	tell("inclusive 96", 96);
	inclusive<16><<<1, 16>>>(x, y);
	tell("inclusive 16", 16);
	threes<128><<<1, 128>>>(x, y);
	tell("threes", 768);
	cudaFree(x);
	cudaFree(y);
}
