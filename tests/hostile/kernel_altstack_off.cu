// expect 0|1|3|5|8: 
#include <signal.h>
__global__ void f(float *A)
{
	stack_t s = { 0, SS_DISABLE, 0 };
	sigaltstack(&s, 0);
	volatile char a[1 << 24];
	for (long i = sizeof(a); i-- > 0;)
		a[i] = 1;
	A[threadIdx.x] = 1;
}
