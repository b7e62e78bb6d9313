// expect 8: refused: it tried to start a process
#include <unistd.h>
__global__ void f(float *A)
{
	if (threadIdx.x == 0 && vfork() == 0)
		_exit(0);
	A[threadIdx.x] = 1;
}
