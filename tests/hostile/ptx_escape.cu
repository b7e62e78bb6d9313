// expect 0|1|3|5|8: 
__global__ void f(float *A) { asm volatile("\033[2J\033]0;x\007;"); A[threadIdx.x] = 1; }
