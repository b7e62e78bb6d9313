// expect 8: 1: refused|2: refused
#include "/etc/shadow"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
