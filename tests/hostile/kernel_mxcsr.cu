// expect 0|1|3|5|8: 
#include <immintrin.h>
__global__ void f(float *A) { _mm_setcsr(0); volatile float z = 0; A[threadIdx.x] = 1 / z; }
