// expect 0|1|3|5|8: 
__global__ void f(float *A) { if (threadIdx.x & 1) for (;;) __syncthreads(); else for (;;) __syncwarp(); }
