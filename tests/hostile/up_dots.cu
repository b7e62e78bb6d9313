// expect 8: "./.././own/./secret" is outside
#include "./.././own/./secret"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
