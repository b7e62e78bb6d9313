// expect 5: File size limit exceeded
#include <fcntl.h>
#include <unistd.h>
__global__ void f(float *A)
{
	for (int fd = 0; fd < 64; fd++) {
		fallocate(fd, 0, 0, 40ll << 30);
		ftruncate(fd, 1ll << 50);
	}
	A[threadIdx.x] = 1;
}
