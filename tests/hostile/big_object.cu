// expect 3|8: 
__device__ char all[300 << 20] = { 1 };
__global__ void f(float *A) { A[threadIdx.x] = 1; }
