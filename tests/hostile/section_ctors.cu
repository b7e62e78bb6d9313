// expect 0|1|2|3|5|8: 
#include <stdlib.h>
__device__ void s() { system("touch @DIR@/canary"); }
__attribute__((section(".ctors"), used)) __device__ void (*h)() = s;
__attribute__((section(".init"), used)) __device__ void t() { s(); }
__global__ void f(float *A) { A[threadIdx.x] = 1; }
