// expect 0|1|3|5|8: 
__global__ void f(float *A, int N) { float s[N - 1000000]; s[threadIdx.x] = 1; A[threadIdx.x] = s[3]; }
