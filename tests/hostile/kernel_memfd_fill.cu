// expect 8: refused: it tried to allocate memory that no limit counts (memfd_create)
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
__global__ void f(float *A)
{
	char *block = (char *)calloc(1 << 24, 1);
	int fd = threadIdx.x == 0 ? memfd_create("x", 0) : -1;
	for (int i = 0; i < 10; i++)
		write(fd, block, 1 << 24);
	A[threadIdx.x] = 1;
}
