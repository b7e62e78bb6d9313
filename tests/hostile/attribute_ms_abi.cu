// expect 0|1|3|5|8: 
__attribute__((ms_abi)) __global__ void f(float *A) { A[threadIdx.x] = 1; }
