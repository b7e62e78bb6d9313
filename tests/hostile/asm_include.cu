// expect 3|8: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".include \"@DIR@/secret\"");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
