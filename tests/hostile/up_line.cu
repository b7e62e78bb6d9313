// expect 3: 
#line 1 "../own/secret"
int x = ;
__global__ void f(float *A) { A[threadIdx.x] = 1; }
