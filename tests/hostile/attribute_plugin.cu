// expect 0|1|3|8: 
#pragma GCC optimize ("-fplugin=@DIR@/x.so", "-fdump-tree-all", "-o@DIR@/canary")
__attribute__((optimize("-fplugin=@DIR@/x.so")))
__global__ void f(float *A) { A[threadIdx.x] = 1; }
