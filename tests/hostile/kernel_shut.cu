// expect 0|1|5|8: 
#include <unistd.h>
__global__ void f(float *A)
{
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	A[threadIdx.x] = 1;
}
