// expect 0|3|8: 
#include_next "../own/secret"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
