// expect 8: 2: "../own/secret" is outside the file's folder; allow it with -I 
#include "../own/secret"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
