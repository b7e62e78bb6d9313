// expect 0: 
#if 1
#else
#include "../own/secret"
#endif
__global__ void f(float *A) { A[threadIdx.x] = 1; }
