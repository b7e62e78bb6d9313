// expect 8: 
#include <stdlib.h>
extern "C" __device__ void _fini() { system("touch @DIR@/canary"); }
__device__ char large[3u << 30];
__global__ void f(float *A) { A[threadIdx.x] = 1; }
