// expect 0|1|3|5|8: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".rept 200000\n.warning \"x\"\n.endr");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
