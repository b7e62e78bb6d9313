// expect 0: 
// run --std c++17
#if 0
#include "../own/secret"
#endif
#include <cstdio>
__global__ void f(float *A) { A[threadIdx.x] = 1; }
int main() { float *d; cudaMalloc(&d, 128); f<<<1, 32>>>(d); cudaDeviceSynchronize(); cudaFree(d); }
