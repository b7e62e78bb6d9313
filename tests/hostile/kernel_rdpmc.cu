// expect 0|1|3|5|8: 
#include <x86intrin.h>
__global__ void f(float *A) { A[threadIdx.x] = __rdpmc(0); }
