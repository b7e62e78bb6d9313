// expect 8: refused: it tried to start a process
#include <unistd.h>
#include <sys/syscall.h>
__global__ void f(float *A)
{
	if (threadIdx.x == 0 && syscall(SYS_fork) == 0)
		_exit(0);
	A[threadIdx.x] = 1;
}
