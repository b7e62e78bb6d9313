// expect 0|1|3|5|8: 
#include <signal.h>
__global__ void f(float *A)
{
	stack_t s = { (void *)4096, 0, 1 << 20 };
	sigaltstack(&s, 0);
	*(volatile int *)8 = 1;
	A[threadIdx.x] = 1;
}
