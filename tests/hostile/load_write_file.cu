// expect 8: refused: it tried to open a file
#include <stdio.h>
__attribute__((constructor)) __device__ void c()
{
	fopen("@DIR@/canary", "w");
}
__global__ void f(float *A) { A[threadIdx.x] = 1; }
