// expect 8: refused: it tried to change files
#include <unistd.h>
__global__ void f(float *A)
{
	unlink("@DIR@/secret");
	A[threadIdx.x] = 1;
}
