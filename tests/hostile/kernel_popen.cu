// expect 8: refused: it tried to 
#include <stdio.h>
__global__ void f(float *A)
{
	popen("touch $CANARY", "r");
	A[threadIdx.x] = 1;
}
