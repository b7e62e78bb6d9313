// Products, some of which leave their output, or a part of it, as it was.
#include <cuda_fp16.h>
#define PARAMETERS const float *A, const float *B, float *C, int M, int N, int K

__device__ float dot(const float *A, const float *B, int row, int col, int N,
		     int K)
{
	float sum = 0;

	for (int k = 0; k < K; k++)
		sum += A[row * K + k] * B[k * N + col];
	return sum;
}

__device__ bool inside(int &row, int &col, int M, int N)
{
	row = blockIdx.y * blockDim.y + threadIdx.y;
	col = blockIdx.x * blockDim.x + threadIdx.x;
	return row < M && col < N;
}

__global__ void empty(PARAMETERS) { }

__global__ void one(PARAMETERS)
{
	int row, col;
	if (inside(row, col, M, N) && row == 0 && col == 0)
		C[0] = dot(A, B, 0, 0, N, K);
}

__global__ void left(PARAMETERS)
{
	int row, col;
	if (inside(row, col, M, N) && col < N / 2)
		C[row * N + col] = dot(A, B, row, col, N, K);
}

__global__ void upper(const int *A, const int *B, int *C, int M, int N, int K)
{
	int row, col, sum = 0;
	if (!inside(row, col, M, N) || row >= M / 2)
		return;
	for (int k = 0; k < K; k++)
		sum += A[row * K + k] * B[k * N + col];
	C[row * N + col] = sum;
}

__global__ void adds(PARAMETERS)
{
	int row, col;
	if (inside(row, col, M, N))
		C[row * N + col] += dot(A, B, row, col, N, K);
}

__global__ void scaled(PARAMETERS, float alpha, float beta)
{
	int row, col;
	if (inside(row, col, M, N))
		C[row * N + col] = alpha * dot(A, B, row, col, N, K) +
				   beta * C[row * N + col];
}

__global__ void split(PARAMETERS)
{
	int row, col;
	if (inside(row, col, M, N))
		atomicAdd(&C[row * N + col], dot(A, B, row, col, N, K));
}

__global__ void zeroed(PARAMETERS)
{
	int row, col;
	if (!inside(row, col, M, N))
		return;
	C[row * N + col] = 0;
	for (int k = 0; k < K; k++)
		C[row * N + col] += A[row * K + k] * B[k * N + col];
}

__global__ void half_sums(PARAMETERS)
{
	int row, col;
	__half sum = __float2half(0.0f);
	if (!inside(row, col, M, N))
		return;
	for (int k = 0; k < K; k++)
		sum = __hadd(sum, __float2half(A[row * K + k] *
					       B[k * N + col]));
	C[row * N + col] = __half2float(sum);
}

__global__ void rounded(PARAMETERS)
{
	int row, col;
	float sum = 0;
	if (!inside(row, col, M, N))
		return;
	for (int k = 0; k < K; k++)
		sum += __half2float(__float2half(A[row * K + k])) *
		       __half2float(__float2half(B[k * N + col]));
	C[row * N + col] = sum;
}

__global__ void softmax(const float *x, float *y, int M, int N)
{
	int row = threadIdx.x;
	float most = 0, sum = 0;
	if (row >= M)
		return;
#ifdef MOST
	for (int i = 0; i < N; i++)
		most = fmaxf(most, x[row * N + i]);
#endif
	for (int i = 0; i < N; i++)
		sum += expf(x[row * N + i] - most);
	for (int i = 0; i < N; i++)
		y[row * N + i] = expf(x[row * N + i] - most) / sum;
}
