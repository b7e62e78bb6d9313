// expect 0|1|3|5|8: 
#include <immintrin.h>
__attribute__((target("fsgsbase"))) __global__ void f(float *A) { _writefsbase_u64(0); A[threadIdx.x] = 1; }
