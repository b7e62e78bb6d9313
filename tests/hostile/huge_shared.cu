// expect 0|1|3|5|8|70: 
__global__ void f(float *A) { __shared__ float s[1ll << 40]; s[threadIdx.x] = 1; A[threadIdx.x] = s[3]; }
