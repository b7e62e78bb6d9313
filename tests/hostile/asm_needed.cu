// expect 0|1|3|8: 
#define PASTE(a, b) a##b
PASTE(as, m)(".section .dynamic,\"aw\"\n.quad 1, 1\n.text");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
