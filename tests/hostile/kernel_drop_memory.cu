// expect 0|1|5|8: 
#include <sys/mman.h>
#include <stdlib.h>
__global__ void f(float *A)
{
	long at = (long)malloc(16) & ~0xffffl;
	madvise((void *)(at - (1 << 20)), 2 << 20, MADV_DONTNEED);
	A[threadIdx.x] = 1;
}
