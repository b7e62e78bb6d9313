// expect 3|8: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".error \"\033[2J\"");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
