// expect 0|1|3|8: 
#define FILE "/etc/passwd"
#include FILE
__global__ void f(float *A) { A[threadIdx.x] = 1; }
