// expect 0|1|3|8: 
#pragma GCC poison threadIdx float __global__ main printf
__global__ void f(float *A) { A[threadIdx.x] = 1; }
