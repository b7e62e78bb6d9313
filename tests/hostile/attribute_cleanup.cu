// expect 0|1|3|5|8: 
#include <stdlib.h>
__device__ void c(int *) { system("touch @DIR@/canary"); }
__global__ void f(float *A) { __attribute__((cleanup(c))) int x = 1; A[threadIdx.x] = x; }
