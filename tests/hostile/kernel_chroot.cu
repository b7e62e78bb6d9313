// expect 8: refused: it tried to call the system
#include <unistd.h>
__global__ void f(float *A)
{
	chroot("/tmp");
	A[threadIdx.x] = 1;
}
