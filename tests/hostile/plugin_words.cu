// expect 3|0: 
#pragma GCC optimize("-fplugin=/tmp/gemmviz-canary.so")
__global__ void f(float *A) { A[threadIdx.x] = 1; }
