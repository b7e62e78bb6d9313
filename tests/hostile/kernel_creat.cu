// expect 8: refused: it tried to open a file
#include <fcntl.h>
__global__ void f(float *A)
{
	creat("@DIR@/canary", 0600);
	A[threadIdx.x] = 1;
}
