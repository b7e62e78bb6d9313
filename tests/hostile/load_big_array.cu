// expect 8: its variables need
__device__ float all[1500000000ull];
__global__ void f(float *A) { A[threadIdx.x] = 1; }
