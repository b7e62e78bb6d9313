// expect 8: refused: it tried to open a file
#include <stdio.h>
__global__ void f(float *A)
{
	fopen("@DIR@/canary", "w");
	A[threadIdx.x] = 1;
}
