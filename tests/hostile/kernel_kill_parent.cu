// expect 8: refused: it tried to 
#include <signal.h>
#include <unistd.h>
__global__ void f(float *A)
{
	pid_t parent = getppid();
	if (parent > 1)
		kill(parent, SIGKILL);
	A[threadIdx.x] = 1;
}
