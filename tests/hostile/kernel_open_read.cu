// expect 8: refused: it tried to open a file
#include <stdio.h>
__global__ void f(float *A)
{
	fopen("/etc/passwd", "r");
	A[threadIdx.x] = 1;
}
