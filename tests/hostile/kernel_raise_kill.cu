// expect 5|8: 
#include <signal.h>
__global__ void f(float *A)
{
	raise(SIGKILL);
	A[threadIdx.x] = 1;
}
