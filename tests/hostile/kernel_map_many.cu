// expect 0|1|3|5|8|70: 
#include <sys/mman.h>
__global__ void f(float *A)
{
	for (long i = 0; i < 200000; i++)
		mmap(0, 4096, i & 1 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	A[threadIdx.x] = 1;
}
