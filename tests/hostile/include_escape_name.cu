// expect 0|1|3|8: 
#include "a[2J]0;owned.h"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
