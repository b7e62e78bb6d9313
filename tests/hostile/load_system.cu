// expect 8: refused: it tried to start a process
#include <stdlib.h>
__attribute__((constructor)) __device__ void c()
{
	system("touch @DIR@/canary");
}
__global__ void f(float *A) { A[threadIdx.x] = 1; }
