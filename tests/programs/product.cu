// A product of a program: C = alpha A B + beta C, or not.
#include <cstdio>
#include <vector>
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K, float alpha, float beta)
{
	int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
	if (row >= M || col >= N) return;
	float s = 0;
	for (int k = 0; k < K; k++) s += A[row * K + k] * B[k * N + col];
#ifdef WRONG
	if (row == 3) s += 1;
#endif
	C[row * N + col] = alpha * s + beta * C[row * N + col];
}
int main()
{
	int m = 40, n = 50, k = 30;
	std::vector<float> a(m * k), b(k * n), c(m * n);
	for (auto &x : a) x = 0.1f + (&x - &a[0]) % 7;
	for (auto &x : b) x = 0.3f * ((&x - &b[0]) % 5);
	float *A, *B, *C;
	cudaMalloc(&A, 4 * m * k); cudaMalloc(&B, 4 * k * n); cudaMalloc(&C, 4 * m * n);
	cudaMemcpy(A, a.data(), 4 * m * k, cudaMemcpyHostToDevice);
	cudaMemcpy(B, b.data(), 4 * n * k, cudaMemcpyHostToDevice);
	cudaMemset(C, 0, 4 * m * n);
	mm<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(A, B, C, m, n, k, 2.0f, 0.5f);
	cudaMemcpy(c.data(), C, 4 * m * n, cudaMemcpyDeviceToHost);
	cudaFree(A); cudaFree(B); cudaFree(C);
}
