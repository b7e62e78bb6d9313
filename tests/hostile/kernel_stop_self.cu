// expect 5|8: 
#include <signal.h>
__global__ void f(float *A) { raise(SIGSTOP); A[threadIdx.x] = 1; }
