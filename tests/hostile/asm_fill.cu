// expect 8|3|5: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".pushsection .data,\"aw\"\n.fill 40000000, 8, 1\n.popsection");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
