// expect 8: refused: it tried to 
#include <sys/syscall.h>
#include <unistd.h>
__global__ void f(float *A)
{
	syscall(SYS_link, "@DIR@/secret", "@DIR@/canary");
	A[threadIdx.x] = 1;
}
