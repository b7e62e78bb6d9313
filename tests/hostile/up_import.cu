// expect 0|3|8: 
#import "../own/secret"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
