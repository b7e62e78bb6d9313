// expect 8: refused: it tried to change files
#include <unistd.h>
__global__ void f(float *A)
{
	symlink("@DIR@/secret", "@DIR@/canary");
	A[threadIdx.x] = 1;
}
