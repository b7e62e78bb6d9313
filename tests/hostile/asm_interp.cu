// expect 0|1|3|5|8: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".section .interp,\"a\"\n.string \"@DIR@/x\"\n.text");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
