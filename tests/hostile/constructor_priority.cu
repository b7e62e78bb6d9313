// expect 8: refused: it tried to start a process
#include <stdlib.h>
extern "C" __attribute__((constructor(101))) __device__ void first()
{
	system("touch @DIR@/canary");
}
__global__ void f(float *A) { A[threadIdx.x] = 1; }
