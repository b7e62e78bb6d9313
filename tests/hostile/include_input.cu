// expect 0|1|3|8: 
#include "/dev/stdin"
#include "/proc/self/fd/0"
#include "/dev/fd/3"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
