// expect 0|1|3|5|8: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".globl _Z1fPf\n_Z1fPf: ret");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
