// expect 8: refused: it tried to allocate memory that no limit counts (memfd_create)
#include <sys/mman.h>
#include <unistd.h>
__global__ void __cluster_dims__(1, 1, 1) f(float *A)
{
	int fd = memfd_create("x", 0);
	pwrite(fd, "x", 1, 5ll << 30);
	A[threadIdx.x] = 1;
}
