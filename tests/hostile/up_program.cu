// expect 8: is outside the file's folder; allow it with -I
// run --std c++17
#include "../own/secret"
#include <cstdio>
__global__ void f(float *A) { A[threadIdx.x] = 1; }
int main() { float *d; cudaMalloc(&d, 128); f<<<1, 32>>>(d); cudaDeviceSynchronize(); cudaFree(d); }
