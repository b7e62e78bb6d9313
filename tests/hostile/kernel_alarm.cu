// expect 8: refused: it tried to 
#include <signal.h>
#include <unistd.h>
__global__ void f(float *A)
{
	signal(SIGALRM, SIG_DFL);
	alarm(1);
	A[threadIdx.x] = 1;
}
