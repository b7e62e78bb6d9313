// expect 0|1|3|5|8: 
__device__ void (*p)(int);
__device__ void g(int n) { volatile char a[1000]; a[n % 1000] = 1; p(n + 1); }
__global__ void f(float *A) { p = g; p(0); A[threadIdx.x] = 1; }
