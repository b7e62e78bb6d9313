// expect 8: its variables need
#include <stdlib.h>
extern "C" __attribute__((destructor)) __device__ void end()
{
	system("touch @DIR@/canary");
}
__device__ char large[3u << 30];
__global__ void f(float *A) { A[threadIdx.x] = 1; }
