// expect 0|1|3|5|8: 
#include <immintrin.h>
__global__ void f(float *A) { _mm_stream_si32((int *)8, 1); _mm_clflush(&A); A[threadIdx.x] = 1; }
