// expect 0|1|3|5|8: 
#include <sys/mman.h>
__global__ void f(float *A)
{
	for (int i = 0; i < 26; i++)
		madvise((void *)((unsigned long)A & ~4095ul), 4096, i);
	madvise((void *)((unsigned long)A & ~4095ul), 4096, 100);
	A[threadIdx.x] = 1;
}
