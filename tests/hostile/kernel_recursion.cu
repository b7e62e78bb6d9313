// expect 0|1|5|8: 
__device__ int deeper(int n) { volatile char large[4096]; large[n % 4096] = n; return deeper(n + 1) + large[0]; }
__global__ void f(float *A) { A[threadIdx.x] = deeper(0); }
