// expect 0|1|3|5|8: 
#define threadIdx other
__device__ struct { int x; } other;
__global__ void f(float *A) { A[threadIdx.x] = 1; }
