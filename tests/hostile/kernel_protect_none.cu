// expect 0|1|3|5|8: 
#include <sys/mman.h>
__global__ void f(float *A)
{
	mprotect((void *)((unsigned long)A & ~4095ul), 1 << 20, PROT_NONE);
	mprotect((void *)((unsigned long)__builtin_frame_address(0) & ~4095ul), 4096, PROT_NONE);
	A[threadIdx.x] = 1;
}
