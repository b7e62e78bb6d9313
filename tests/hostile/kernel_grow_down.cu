// expect 0|1|5|8: 
#include <sys/mman.h>
__global__ void f(float *A)
{
	volatile char *p = (volatile char *)mmap(0, 1ll << 40, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p != (volatile char *)-1)
		for (long i = 0; i < 1ll << 40; i += 4096)
			p[i] = 1;
	A[threadIdx.x] = 1;
}
