// expect 0|8: 
#include <stdio.h>
struct begin { begin() { fclose(fopen("@DIR@/canary", "w")); } };
__device__ begin one;
__global__ void f(float *A) { A[threadIdx.x] = 1; }
