// expect 8: refused: it tried to call the system
#include <sys/mount.h>
__global__ void f(float *A)
{
	mount("none", "@DIR@/none", "tmpfs", 0, 0);
	A[threadIdx.x] = 1;
}
