// expect 8: ended the recorder
#include <unistd.h>
#include <sys/syscall.h>
__global__ void f(float *A)
{
	syscall(SYS_exit_group, 0);
	A[threadIdx.x] = 1;
}
