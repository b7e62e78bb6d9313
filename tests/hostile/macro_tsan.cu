// expect 0|1|2|3|5|8: 
#define gemmviz_asm(...)
#define GEMMVIZ_HERE 1
#define cudaMalloc system
#undef threadIdx
__global__ void f(float *A) { A[threadIdx.x] = 1; }
