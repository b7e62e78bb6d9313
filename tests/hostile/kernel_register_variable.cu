// expect 0|1|3|5|8: 
__global__ void f(float *A) { register long p __asm__("rsp"); p = 8; A[threadIdx.x] = 1; }
