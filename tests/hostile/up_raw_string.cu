// expect 0: 
__device__ const char x[] = R"(
#include "../own/secret"
)";
__global__ void f(float *A) { A[threadIdx.x] = 1; }
