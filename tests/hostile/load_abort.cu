// expect 5|8: ended
#include <stdlib.h>
__attribute__((constructor)) __device__ void c()
{
	abort();
}
__global__ void f(float *A) { A[threadIdx.x] = 1; }
