// expect 0: 
#ifdef NEVER
#include "../own/secret"
#endif
__global__ void f(float *A) { A[threadIdx.x] = 1; }
