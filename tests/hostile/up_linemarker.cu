// expect 3: 
# 1 "../own/secret" 1 3
int x = ;
__global__ void f(float *A) { A[threadIdx.x] = 1; }
