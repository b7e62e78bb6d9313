// expect 0|1|3|5|8: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".data\n.rept 300000\n.quad printf\n.endr\n.text");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
