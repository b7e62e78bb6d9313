// expect 3|0: 
#pragma GCC optimize("-fplugin=@DIR@/canary.so")
__global__ void f(float *A) { A[threadIdx.x] = 1; }
