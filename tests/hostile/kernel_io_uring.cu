// expect 8: refused: it tried to call the system
#include <unistd.h>
#include <sys/syscall.h>
__global__ void f(float *A)
{
	syscall(425, 4, 0);
	A[threadIdx.x] = 1;
}
