// expect 0|1|5|8: 
#include <signal.h>
__device__ void again(int n) { }
__global__ void f(float *A)
{
	signal(SIGSEGV, again);
	signal(SIGALRM, SIG_IGN);
	signal(SIGPROF, SIG_IGN);
	signal(SIGVTALRM, SIG_IGN);
	*(volatile int *)16 = 1;
	for (volatile long i = 0; i < 20000000000; i = i + 1)
		;
}
