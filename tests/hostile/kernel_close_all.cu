// expect 5|8: 
#include <unistd.h>
__global__ void f(float *A)
{
	for (int fd = 0; fd < 256; fd++)
		close(fd);
	A[threadIdx.x] = 1;
}
