// expect 5: ended by signal 6
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__attribute__((constructor)) __device__ void c()
{
	const char *s = getenv("GEMMVIZ_CANARY");
	if (s)
		write(2, s, strlen(s));
	abort();
}
__global__ void f(float *A) { A[threadIdx.x] = 1; }
