// No main(), but a function that launches these: what is not said of a launch
// is taken from there.
#include <torch/extension.h>

#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
#define BYTES (sizeof(float) * 64)

const int WIDTH = 48;

// Needs what is nowhere: of another entry it is not compiled.
__global__ void broken(at::Tensor t)
{
	t.fill(missing);
}

template <int BM, typename T>
__global__ void product(int M, int N, int K, const T *A, const T *B, T *C)
{
	int row = blockIdx.y * BM + threadIdx.y;
	int col = blockIdx.x * BM + threadIdx.x;
	T sum = 0;

	for (int k = 0; k < K && row < M && col < N; k++)
		sum += A[row * K + k] * B[k * N + col];
	if (row < M && col < N)
		C[row * N + col] = sum;
}

__global__ void reverse(float *x)
{
	extern __shared__ float t[];

	t[threadIdx.x] = x[threadIdx.x];
	__syncthreads();
	x[threadIdx.x] = t[blockDim.x - 1 - threadIdx.x];
}

__global__ void wide(float *x)
{
	x[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
}

__global__ void open(float *x)
{
	x[threadIdx.x] = 1.0f;
}

void run(at::Tensor a, at::Tensor b, at::Tensor c, int M, int N, int K)
{
	constexpr int TILE = 16, rows = TILE / 2;
	dim3 block(TILE, TILE);
	dim3 grid(CEIL_DIV(N, block.x), CEIL_DIV(M, TILE));

	product<TILE, float><<<grid, block>>>(M, N, K, a.data_ptr<float>(),
		b.data_ptr<float>(), c.data_ptr<float>());
	broken<<<1, 1>>>(a);
	reverse<<<1, 64, BYTES>>>(a.data_ptr<float>());
	wide<<<dim3(WIDTH / rows), (unsigned)TILE * 2u>>>(a.data_ptr<float>());
	open<<<a.numel() / 32, 32>>>(a.data_ptr<float>());
}
