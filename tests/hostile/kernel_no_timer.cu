// expect 0|1|5|8: 
#include <sys/time.h>
__global__ void f(float *A)
{
	struct itimerval none = {};
	for (int i = 0; i < 3; i++)
		setitimer((__itimer_which_t)i, &none, 0);
	for (volatile long i = 0; i < 20000000000; i = i + 1)
		;
}
