// expect 0|1|3|5|8: 
#include <signal.h>
__global__ void f(float *A)
{
	for (int s = 64; s > 0; s--)
		if (s != SIGKILL && s != SIGSTOP && s != SIGSYS)
			raise(s);
	A[threadIdx.x] = 1;
}
