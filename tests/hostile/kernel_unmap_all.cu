// expect 0|1|5|8: 
#include <sys/mman.h>
extern "C" void __tsan_read4(void *);
__global__ void f(float *A)
{
	unsigned long at = (unsigned long)&__tsan_read4 & ~0xffful;
	munmap((void *)(at - 0x100000), 0x400000);
	A[threadIdx.x] = 1;
}
