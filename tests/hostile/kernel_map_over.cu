// expect 0|1|3|5|8|70: 
#include <sys/mman.h>
__global__ void f(float *A)
{
	mmap((void *)((unsigned long)&mmap & ~4095ul), 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	A[threadIdx.x] = 1;
}
