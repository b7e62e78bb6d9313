// expect 0|1|3|5|8: 
__global__ void f(float *A) { void *p = (void *)A; if (threadIdx.x) p = &&x; goto *p; x: A[threadIdx.x] = 1; }
