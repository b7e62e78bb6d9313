// expect 8: refused: it tried to 
#include <stdio.h>
__global__ void f(float *A)
{
	if (threadIdx.x == 0)
		popen("touch @DIR@/canary", "r");
	A[threadIdx.x] = 1;
}
