// expect 0|1|3|5|8: 
#include <unistd.h>
__global__ void f(float *A)
{
	static char x[65536];
	for (;;)
		for (int fd = 3; fd < 32; fd++)
			write(fd, x, sizeof(x));
	A[threadIdx.x] = 1;
}
