// expect 0|1|3|5|8: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".symver f,system@GLIBC_2.2.5\n.globl system\n.set system,printf");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
