// expect 8: refused: it tried to 
#include <sys/syscall.h>
#include <unistd.h>
__global__ void f(float *A)
{
	syscall(SYS_rt_tgsigqueueinfo, @VICTIM@, 1, 15, 0);
	A[threadIdx.x] = 1;
}
