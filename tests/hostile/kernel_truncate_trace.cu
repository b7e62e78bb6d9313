// expect 0|1|3|5|8: 
#include <unistd.h>
__global__ void f(float *A)
{
	for (int fd = 3; fd < 64; fd++)
		ftruncate(fd, 1ul << 50), ftruncate(fd, 0), lseek(fd, 1ul << 40, SEEK_SET);
	A[threadIdx.x] = 1;
}
