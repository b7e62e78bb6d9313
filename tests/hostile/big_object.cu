// expect 3|8: 
__device__ char all[3ull << 30] = { 1 };
__global__ void f(float *A) { A[threadIdx.x] = 1; }
