// expect 8: refused: it tried to take memory that is not its own (memfd_create)
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
__global__ void f(float *A)
{
	char *block = (char *)calloc(1 << 24, 1);
	for (;;) {
		int fd = memfd_create("x", 0);
		for (int i = 0; i < 200; i++)
			write(fd, block, 1 << 24);
	}
	A[threadIdx.x] = 1;
}
