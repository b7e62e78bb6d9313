// expect 0|1|3|5|8: 
__global__ void f(float *A) { asm volatile("bra $L1; %s%n; {{{{ }; .reg .b32 x<1000000000>; mov.u32 %0, %%tid.x;" : "=r"(*(int *)A)); A[threadIdx.x] = 1; }
