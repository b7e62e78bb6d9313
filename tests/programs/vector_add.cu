#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { \
	printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); return 1; } } while (0)

__global__ void vectorAdd(const float *A, const float *B, float *C, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		C[i] = A[i] + B[i];
}

int main(int argc, char **argv)
{
	int n = 50000;
	size_t size = n * sizeof(float);
	std::vector<float> a(n), b(n), c(n);
	for (int i = 0; i < n; i++) { a[i] = i; b[i] = 2 * i; }
	float *d_A, *d_B, *d_C;
	CHECK(cudaMalloc(&d_A, size));
	CHECK(cudaMalloc((void **)&d_B, size));
	CHECK(cudaMalloc(&d_C, size));
	CHECK(cudaMemcpy(d_A, a.data(), size, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(d_B, b.data(), size, cudaMemcpyHostToDevice));
	int threads = 256;
	vectorAdd<<<(n + threads - 1) / threads, threads>>>(d_A, d_B, d_C, n);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(c.data(), d_C, size, cudaMemcpyDeviceToHost));
	for (int i = 0; i < n; i++)
		if (c[i] != 3.0f * i) { printf("wrong at %d: %g\n", i, c[i]); return 1; }
	printf("PASS\n");
	cudaFree(d_A); cudaFree(d_B);
	return 0;
}
