// expect 8: refused: it tried to reach another process
#include <sys/prctl.h>
__global__ void f(float *A)
{
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	A[threadIdx.x] = 1;
}
