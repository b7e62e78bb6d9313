// expect 0|1|3|8: 
#pragma redefine_extname f system
#pragma weak f = system
__global__ void f(float *A) { A[threadIdx.x] = 1; }
