// expect 0|1|3|5|8|70: 
#include <sys/mman.h>
__global__ void f(float *A)
{
	for (int fd = 3; fd < 64; fd++) {
		char *p = (char *)mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (p != MAP_FAILED)
			__builtin_memset(p, 0, 4096);
	}
	A[threadIdx.x] = 1;
}
