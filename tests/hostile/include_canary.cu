// expect 8: refused: it tried to read
#include "@DIR@/secret"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
