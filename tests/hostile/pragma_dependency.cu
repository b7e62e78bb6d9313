// expect 0|3: 
#pragma GCC dependency "/etc/shadow"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
