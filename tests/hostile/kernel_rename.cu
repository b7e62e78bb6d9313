// expect 8: refused: it tried to change files
#include <stdio.h>
__global__ void f(float *A)
{
	rename("/tmp/a", "/tmp/b");
	A[threadIdx.x] = 1;
}
