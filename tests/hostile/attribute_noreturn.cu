// expect 0|1|3|5|8: 
__attribute__((noreturn)) __device__ void g() { }
__global__ void f(float *A) { A[threadIdx.x] = 1; if (threadIdx.x > 1000) g(); g(); }
