// expect 0|1|3|5|8: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".print \"\033[2J\033]0;owned\007\"");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
