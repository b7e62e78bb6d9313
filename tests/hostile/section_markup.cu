// expect 0|1|3|5|8: 
__device__ __attribute__((section("[2J"))) float g = 1;
__global__ void f(float *A) { A[threadIdx.x] = g; }
