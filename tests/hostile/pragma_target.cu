// expect 0|1|3|8: 
#pragma GCC target ("avx512f,general-regs-only")
__global__ void f(float *A) { A[threadIdx.x] = 1; }
