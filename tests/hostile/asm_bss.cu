// expect 0|1|3|5|8|70: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".bss\n.skip 1<<42\n.text");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
