// expect 0|1|3|5|8: 
__device__ void g(int n) { volatile char a[8]; for (int i = 0; i < n; i++) a[i] = 0x41; }
__global__ void f(float *A) { g(4096); A[threadIdx.x] = 1; }
