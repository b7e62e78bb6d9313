// expect 8: refused: it tried to read
#include "/proc/self/root@DIR@/secret"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
