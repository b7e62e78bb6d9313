// expect 0|3|8: 
#if __has_include("/etc/shadow")
#error it can be seen
#endif
__global__ void f(float *A) { A[threadIdx.x] = 1; }
