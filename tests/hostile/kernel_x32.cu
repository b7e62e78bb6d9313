// expect 5|8: 
#include <sys/syscall.h>
#include <unistd.h>
__global__ void f(float *A)
{
	syscall(0x40000000 | SYS_getppid);
	A[threadIdx.x] = 1;
}
