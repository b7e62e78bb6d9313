// expect 0: 
#if 0
#include "../own/secret"
#endif
__global__ void f(float *A) { A[threadIdx.x] = 1; }
