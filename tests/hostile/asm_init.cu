// expect 8: refused: it has code that runs while it is loaded
#include <stdlib.h>
extern "C" __device__ void _init() { system("touch @DIR@/canary"); }
__global__ void f(float *A) { A[threadIdx.x] = 1; }
