// expect 0|1|3|8: 
#pragma GCC pch_preprocess "/etc/passwd"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
