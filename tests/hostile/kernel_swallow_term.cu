// expect 0|1|5|8: 
#include <signal.h>
__global__ void f(float *A)
{
	for (int s = 1; s < 65; s++)
		if (s != SIGSYS)
			signal(s, SIG_IGN);
	for (volatile long i = 0; i < 20000000000; i = i + 1)
		;
	A[threadIdx.x] = 1;
}
