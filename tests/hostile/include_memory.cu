// expect 8: refused: it tried to read|Permission
#include "/proc/self/environ"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
