// expect 0|1|3|5|8: 
#include <ucontext.h>
__global__ void f(float *A)
{
	ucontext_t c;
	getcontext(&c);
	c.uc_mcontext.gregs[REG_RIP] = 0x1234;
	c.uc_mcontext.gregs[REG_RSP] = 0;
	setcontext(&c);
	A[threadIdx.x] = 1;
}
