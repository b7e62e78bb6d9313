// expect 0|1|3|5|8: 
__global__ void f(float *A) { atomicAdd((int *)8, 1); atomicCAS((unsigned long long *)((char *)A + 1), 1ull, 2ull); atomicInc((unsigned *)&f, 1); A[threadIdx.x] = 1; }
