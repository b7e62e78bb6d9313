// expect 0|3|8: 
#pragma GCC pch_preprocess "@DIR@/secret"
#pragma GCC poison system
#pragma GCC system_header
__global__ void f(float *A) { A[threadIdx.x] = 1; }
