// expect 5: File size limit exceeded
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
__global__ void __cluster_dims__(1, 1, 1) f(float *A)
{
	char *block = (char *)calloc(1 << 24, 1);
	int fd = memfd_create("x", 0);
	for (;;)
		write(fd, block, 1 << 24);
	A[threadIdx.x] = 1;
}
