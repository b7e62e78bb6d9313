// expect 0: 
// run --std c++17
#include <cstdio>
__global__ void f(float *A) { A[threadIdx.x] = 1; }
int main() { float *d; cudaMalloc(&d, 128); f<<<1, 32>>>(d); cudaDeviceSynchronize(); cudaFree(d); FILE *s = fopen("../own/secret", "r"); char c[80]; if (s) puts(fgets(c, 80, s)); }
