// expect 8: 2: "../own/secret" is outside
#define F "../own/secret"
#include F
__global__ void f(float *A) { A[threadIdx.x] = 1; }
