// expect 3: nested
#include __FILE__
__global__ void f(float *A) { A[threadIdx.x] = 1; }
