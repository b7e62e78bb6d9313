// expect 8: MB of memory
// run --block 256 --grid 64
#include <fcntl.h>
#include <unistd.h>
/* Grows the files in memory that helpers and clusters have. */
__global__ void f(float *A)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i == 0) {
		for (int fd = 3; fd < 40; fd++)
			fallocate(fd, 0, 0, 100 << 20);
		for (volatile long n = 0; n < 1000000000; n = n + 1)
			;
	}
	A[i] = 1;
}
