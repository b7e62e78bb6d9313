// expect 1: 
// run --on cpu
#include <cstdio>
#include <cublas_v2.h>
#include <curand.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main()
{
	cublasHandle_t h, wild = (cublasHandle_t)0x4141;
	curandGenerator_t g, wild_g = (curandGenerator_t)0x4242;
	float one = 1, *d;
	cudaMalloc((void **)&d, 4096);
	k<<<1, 32>>>(d);
	cublasCreate(&h);
	int big = 0x7fffffff;
	printf("%d\n", cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, -1, -1, -1, &one, d, 1, d, 1, &one, d, 1));
	printf("%d\n", cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, 64, 64, 64, &one, d, 64, d, 64, &one, d, 64));
	printf("%d\n", cublasSgemm(h, (cublasOperation_t)9, CUBLAS_OP_T, 1, 1, big, &one, d, big, d, big, &one, d, big));
	printf("%d\n", cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, nullptr, d, 1, d, 1, (float *)0x43, d, 1));
	printf("%d\n", cublasSaxpy(h, big, &one, d, big, d, -big));
	cublasDestroy(h);
	printf("%d\n", cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, d, 1, d, 1, &one, d, 1));
	printf("%d\n", curandCreateGenerator(&g, (curandRngType_t)9999));
	printf("%d\n", curandGenerateUniform(g, d, 1ull << 62));
	printf("%d\n", curandGenerateUniform(wild_g, d, 16));
	printf("%d\n", cublasSgemm(wild, CUBLAS_OP_N, CUBLAS_OP_N, big, big, big, &one, d, big, d, big, &one, d, big));
}
