// expect 8: took more than
#include <stdlib.h>
#include <string.h>
__attribute__((constructor)) __device__ void c()
{
	for (;;)
		memset(malloc(1 << 24), 1, 1 << 24);
}
__global__ void f(float *A) { A[threadIdx.x] = 1; }
