// expect 0|1|3|5|8|70: 
#include <sys/mman.h>
__global__ void f(float *A)
{
	mmap(0, 1ul << 31, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE | MAP_LOCKED, -1, 0);
	A[threadIdx.x] = 1;
}
