// expect 0|1|3|8: 
#include "@DIR@/fifo"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
