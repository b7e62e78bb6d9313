// expect 8: refused: it tried to 
#include <signal.h>
#include <unistd.h>
__global__ void f(float *A)
{
	kill(getppid(), SIGKILL);
	A[threadIdx.x] = 1;
}
