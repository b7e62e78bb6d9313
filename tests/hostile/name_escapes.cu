// expect 0|1|3|8: 
__global__ void f[2J(float *A) { A[threadIdx.x] = 1; }
__device__ int a2J;
