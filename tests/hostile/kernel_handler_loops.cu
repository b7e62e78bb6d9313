// expect 0|1|2|3|5|8: 
#include <signal.h>
__device__ void h(int) { for (;;); }
__global__ void f(float *A)
{
	for (int s = 1; s < 65; s++)
		if (s != SIGSYS)
			signal(s, h);
	*(volatile int *)8 = 1;
	__builtin_trap();
}
