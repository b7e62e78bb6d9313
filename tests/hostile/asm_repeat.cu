// expect 8|3|5: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".rept 300000000\n.byte 1\n.endr");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
