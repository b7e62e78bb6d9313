// expect 0|1|2|3|5|8: 
#include <signal.h>
#include <sys/time.h>
__device__ void h(int) { }
__global__ void f(float *A)
{
	signal(SIGALRM, h), signal(SIGVTALRM, h), signal(SIGPROF, h);
	struct itimerval t = { { 0, 1 }, { 0, 1 } };
	for (int i = 0; i < 3; i++)
		setitimer((__itimer_which_t)i, &t, 0);
	for (;;)
		A[threadIdx.x] = 1;
}
