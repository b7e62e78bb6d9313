// expect 8: is outside
#include "../files/../own/secret"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
