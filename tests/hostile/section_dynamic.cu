// expect 0|1|3|5|8: 
__device__ __attribute__((section(".dynamic"))) long g[] = { 12, 12, 13, 13, 1, 1 };
__global__ void f(float *A) { A[threadIdx.x] = 1; }
