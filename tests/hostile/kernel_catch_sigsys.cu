// expect 8: refused: it tried to call the system (rt_sigaction)
#include <signal.h>
__global__ void f(float *A)
{
	signal(SIGSYS, SIG_IGN);
	A[threadIdx.x] = 1;
}
