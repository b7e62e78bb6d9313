// expect 0|1|2|3|5|8: 
__attribute__((target_clones("avx2", "default"))) __device__ int g() { return 1; }
__global__ void f(float *A) { A[threadIdx.x] = g(); }
