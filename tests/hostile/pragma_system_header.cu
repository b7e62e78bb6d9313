// expect 0|1|3|8: 
#pragma GCC system_header
#pragma GCC diagnostic ignored "-Wall"
int x = ;
__global__ void f(float *A) { A[threadIdx.x] = 1; }
