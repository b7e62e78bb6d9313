// expect 0|1|3|5|8: 
#include <immintrin.h>
__attribute__((target("xsave"))) __global__ void f(float *A) { _xrstor(A, -1); A[threadIdx.x] = 1; }
