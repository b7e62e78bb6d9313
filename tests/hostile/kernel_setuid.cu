// expect 8: refused: it tried to call the system
#include <unistd.h>
__global__ void f(float *A)
{
	setuid(0);
	A[threadIdx.x] = 1;
}
