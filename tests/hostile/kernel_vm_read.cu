// expect 8: refused: it tried to reach another process
#include <sys/uio.h>
__global__ void f(float *A)
{
	process_vm_readv(1, 0, 0, 0, 0, 0);
	A[threadIdx.x] = 1;
}
