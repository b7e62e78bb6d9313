// expect 8: took more than|exceeded
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__attribute__((constructor)) __device__ void c()
{
	for (int i = 0; i < 40; i++)
		memset(malloc(1 << 24), 1, 1 << 24);
	sleep(20);
}
__global__ void f(float *A) { A[threadIdx.x] = 1; }
