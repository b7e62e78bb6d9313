// expect 0|1|2|3|5|8: 
#include <stdlib.h>
#include <new>
__device__ void *operator new(size_t n) { system("touch @DIR@/canary"); return malloc(n); }
__global__ void f(float *A) { A[threadIdx.x] = *new float(1); }
