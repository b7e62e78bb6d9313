// expect 0|1|3|5|8: 
__attribute__((patchable_function_entry(60000, 30000))) __device__ int g() { return 1; }
__global__ void f(float *A) { A[threadIdx.x] = g(); }
