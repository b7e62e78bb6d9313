// expect 8: refused: it tried to change files
#include <stdio.h>
__global__ void f(float *A)
{
	rename("@DIR@/secret", "@DIR@/canary");
	A[threadIdx.x] = 1;
}
