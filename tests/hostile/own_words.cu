// expect 0|1|3|5|8: 
#define __global__ static
#define float int
#define threadIdx (*(struct { int x; } *)16)
__global__ void f(float *A) { A[threadIdx.x] = 1; }
