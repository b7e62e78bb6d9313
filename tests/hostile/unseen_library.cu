// expect 0: 
// What the C library stores for a kernel is not in the counts (SECURITY.md).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__device__ int by(const void *a, const void *b) { return *(int *)a - *(int *)b; }
__global__ void f(float *A)
{
	if (threadIdx.x == 0) {
		memmove(A + 64, A + 32, 64);
		snprintf((char *)(A + 128), 8, "%d", 7);
		qsort(A + 200, 8, 4, by);
		__builtin_memset(A + 300, 1, 40);
	}
	A[threadIdx.x] = 1;
}
