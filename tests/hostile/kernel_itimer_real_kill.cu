// expect 0|1|3|5|8: 
#include <signal.h>
#include <sys/time.h>
__global__ void f(float *A)
{
	signal(SIGALRM, SIG_DFL);
	struct itimerval t = { { 0, 0 }, { 0, 1000 } };
	setitimer(ITIMER_REAL, &t, 0);
	for (volatile long i = 0; i < 100000000; i = i + 1)
		;
	A[threadIdx.x] = 1;
}
