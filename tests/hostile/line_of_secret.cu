// expect 3|8: 
#line 1 "@DIR@/secret"
#error here
__global__ void f(float *A) { A[threadIdx.x] = 1; }
