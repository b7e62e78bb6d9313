// expect 0|1|3|5|8: 
__global__ void f(float *A) { __shared__ float s[1]; s[-1000000000l] = 1; s[1l << 60] = 2; A[threadIdx.x] = s[threadIdx.x * 1l << 50]; }
