// expect 0|1|5|8: 
#include <stdio.h>
__global__ void f(float *A)
{
	printf("\033[2J\033]0;x\007\302\233c%c%s\n", 27, "\033c");
	A[threadIdx.x] = 1;
}
