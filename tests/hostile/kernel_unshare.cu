// expect 8: refused: it tried to call the system
#include <sched.h>
__global__ void f(float *A)
{
	unshare(CLONE_NEWUSER);
	A[threadIdx.x] = 1;
}
