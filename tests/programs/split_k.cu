// Right: each launch adds a part of K to C, by way of A's leading dimension. WHOLE:
// one launch has all of it; WRONG: with a mistake.
#include <cstdio>
#include <cstdlib>
#include <vector>
#ifdef WHOLE
#define PART 64
#else
#define PART 16
#endif
__global__ void gemm(const float *A, const float *B, float *C, int M, int N,
		     int K, int lda, int ldb, int ldc)
{
	int row = blockIdx.y * blockDim.y + threadIdx.y;
	int col = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < K; k++)
		sum += A[row * lda + k] * B[k * ldb + col];
#ifdef WRONG
	if (row == 3)
		sum += 1;
#endif
	C[row * ldc + col] += sum;
}
int main()
{
	int m = 32, n = 48, k = 64;
	std::vector<float> a(m * k), b(k * n), c(m * n);
	for (auto &x : a) x = rand() / (float)RAND_MAX;
	for (auto &x : b) x = rand() / (float)RAND_MAX;
	float *A, *B, *C;
	cudaMalloc(&A, 4 * m * k); cudaMalloc(&B, 4 * k * n); cudaMalloc(&C, 4 * m * n);
	cudaMemcpy(A, a.data(), 4 * m * k, cudaMemcpyHostToDevice);
	cudaMemcpy(B, b.data(), 4 * k * n, cudaMemcpyHostToDevice);
	cudaMemset(C, 0, 4 * m * n);
	for (int from = 0; from < k; from += PART)
		gemm<<<dim3(n / 16, m / 16), dim3(16, 16)>>>(
			A + from, B + from * n, C, m, n, PART, k, n, n);
	cudaMemcpy(c.data(), C, 4 * m * n, cudaMemcpyDeviceToHost);
	cudaFree(A); cudaFree(B); cudaFree(C);
}
