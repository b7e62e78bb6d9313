// expect 0|1|3|5|8: 
#include <sys/syscall.h>
#include <unistd.h>
__global__ void f(float *A)
{
	syscall(SYS_rt_sigreturn);
	A[threadIdx.x] = 1;
}
