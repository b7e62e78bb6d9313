// expect 0|1|3|8: 
#define PASTE(a, b) a##b
PASTE(as, m)(".section .gnu.warning.f\n.ascii \"\\033[2J\\033]0;x\\007\"\n.text");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
