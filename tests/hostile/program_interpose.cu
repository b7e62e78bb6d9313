// expect 0: 
// run --on cpu
// It has functions of its own in the place of the recorder's.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
extern "C" void *__wrap_malloc(size_t) { return nullptr; }
extern "C" void *__wrap___tls_get_addr(void *) { return nullptr; }
extern "C" int pthread_create(void *, const void *, void *(*)(void *), void *) { return 0; }
extern "C" void GOMP_parallel(void (*)(void *), void *, unsigned, unsigned) { }
extern "C" long write(int, const void *, size_t n) { return (long)n; }
extern "C" int fflush(FILE *) { return 0; }
extern "C" void *memset(void *to, int, size_t) { return to; }
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main()
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
	puts("all is right");
}
