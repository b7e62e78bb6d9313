// expect 0|1|3|5|8: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".data\n.p2align 31\n.byte 1\n.text");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
