// expect 8|3|5: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".pushsection .data,\"aw\"\n.org 0x7fffffffffff\n.popsection");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
