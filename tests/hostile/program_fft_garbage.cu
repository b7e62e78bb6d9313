// expect 1: 
// run --on cpu
#include <cstdio>
#include <cufft.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main()
{
	cufftHandle p = 0x41414141, q;
	cufftComplex *d;
	cudaMalloc((void **)&d, 4096);
	k<<<1, 32>>>((float *)d);
	int sizes[] = { -1, 0, 1 << 30, 0x7fffffff };
	for (int n : sizes) {
		printf("%d\n", cufftPlan1d(&q, n, CUFFT_C2C, 1));
		printf("%d\n", cufftPlan1d(&q, 64, CUFFT_C2C, n));
		printf("%d\n", cufftPlan2d(&q, n, n, CUFFT_R2C));
		printf("%d\n", cufftPlan3d(&q, 0x7fffffff, n, 2, (cufftType)n));
		printf("%d\n", cufftPlanMany(&q, n, &n, &n, n, n, &n, n, n, CUFFT_C2C, n));
		printf("%d\n", cufftPlanMany(&q, 1, sizes + 1, nullptr, 1, 1, nullptr, 1, 1, CUFFT_C2C, 1));
	}
	printf("%d\n", cufftExecC2C(p, d, d, CUFFT_FORWARD));
	printf("%d\n", cufftPlan1d(&q, 1 << 24, CUFFT_C2C, 1));
	printf("%d\n", cufftExecC2C(q, d, d, CUFFT_FORWARD));
	printf("%d\n", cufftPlan1d(&q, 256, CUFFT_C2C, 1));
	printf("%d\n", cufftExecC2C(q, d, (cufftComplex *)0x41, 77));
	printf("%d\n", cufftExecC2C(q, d + 500, d, CUFFT_FORWARD));
	printf("%d %d\n", cufftDestroy(q), cufftDestroy(q));
	printf("%d\n", cufftExecC2C(q, d, d, CUFFT_FORWARD));
}
