// expect 3: name_helper is not defined|1: name_helper is not defined
// run --std c++17
#if 0
#include "@neighbour.cu"
#include "-specs=neighbour.cu"
#endif
void name_helper();
#include <cstdio>
__global__ void f(float *A) { A[threadIdx.x] = 1; }
int main() { float *d; cudaMalloc(&d, 128); f<<<1, 32>>>(d); cudaDeviceSynchronize(); cudaFree(d); name_helper(); }
