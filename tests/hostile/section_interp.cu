// expect 0|1|3|5|8: 
__device__ __attribute__((section(".interp"))) const char g[] = "@DIR@/x";
__global__ void f(float *A) { A[threadIdx.x] = 1; }
