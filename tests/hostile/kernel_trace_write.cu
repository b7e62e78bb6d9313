// expect 0|1|5|8: 
#include <unistd.h>
__global__ void f(float *A)
{
	for (int fd = 3; fd < 64; fd++)
		for (int i = 0; i < 64; i++)
			pwrite(fd, "GVT forged", 10, i * 10);
	A[threadIdx.x] = 1;
}
