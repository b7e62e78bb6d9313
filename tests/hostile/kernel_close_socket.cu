// expect 0|1|3|5|8: 
#include <unistd.h>
__global__ void f(float *A)
{
	for (int fd = 3; fd < 64; fd++)
		close(fd);
	for (;;);
	A[threadIdx.x] = 1;
}
