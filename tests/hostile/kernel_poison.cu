// expect 0|1|5|8: 
#include <sys/mman.h>
__global__ void f(float *A)
{
	static char page[8192];
	madvise((void *)(((long)page + 4095) & ~4095l), 4096, 100);
	A[threadIdx.x] = 1;
}
