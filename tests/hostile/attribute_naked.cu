// expect 0|1|2|3|5|8: 
__attribute__((naked)) __device__ void g() { }
__global__ void f(float *A) { g(); A[threadIdx.x] = 1; }
