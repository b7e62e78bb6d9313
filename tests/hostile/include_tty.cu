// expect 0|1|3|8: 
#include "/dev/tty"
#include "/dev/ptmx"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
