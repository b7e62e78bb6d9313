// expect 0|1|3|8: 
[[deprecated("[2J")]] __device__ int g() { return 1; }
__global__ void f(float *A) { A[threadIdx.x] = g(); }
