// expect 3: 
// run --std c++17
#define JOIN(a, b) a##b
JOIN(__as, m__)(".pushsection .data\n.globl leak\nleak: .incbin \"@DIR@/secret\"\n.byte 0\n.popsection");
extern "C" char leak[];
#include <cstdio>
__global__ void f(float *A) { A[threadIdx.x] = 1; }
int main() { float *d; cudaMalloc(&d, 128); f<<<1, 32>>>(d); cudaDeviceSynchronize(); cudaFree(d); puts(leak); }
