// expect 8: refused: it tried to start a process
#include <unistd.h>
__global__ void f(float *A)
{
	if (fork() == 0)
		for (;;)
			pause();
	A[threadIdx.x] = 1;
}
