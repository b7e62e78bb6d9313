// expect 0|5: 
#include <fcntl.h>
#include <unistd.h>
__global__ void f(float *A)
{
	for (int fd = 0; fd < 64; fd++) {
		fallocate(fd, 0, (4ll << 30) + 4096, 4096);
		ftruncate(fd, (4ll << 30) + 4096);
	}
	A[threadIdx.x] = 1;
}
