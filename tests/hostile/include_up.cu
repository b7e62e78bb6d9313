// expect 0|3|8: 
#include "../../../../../../../../../../etc/shadow"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
