// expect 0|1|3|8: 
#include "/proc/self/maps"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
