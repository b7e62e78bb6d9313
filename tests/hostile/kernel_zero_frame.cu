// expect 8: tried to answer in the recorder.s place
#include <string.h>
#include <unistd.h>
__global__ void f(float *A)
{
	char head[4096];
	memset(head, 0, sizeof(head));
	for (int fd = 3; fd < 64; fd++)
		write(fd, head, sizeof(head));
	A[threadIdx.x] = 1;
}
