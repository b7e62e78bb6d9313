// expect 0|1|3|5|8: 
#include <unistd.h>
__global__ void f(float *A)
{
	for (int fd = 0; fd < 64; fd++) {
		lseek(fd, 0, SEEK_SET);
		read(fd, (void *)A, 128);
	}
	A[threadIdx.x] = 1;
}
