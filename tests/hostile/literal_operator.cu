// expect 0|1|2|3|5|8: 
#include <stdlib.h>
__device__ int operator""_x(unsigned long long) { return system("touch @DIR@/canary"); }
__global__ void f(float *A) { A[threadIdx.x] = 1_x; }
