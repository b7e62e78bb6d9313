// expect 0|1|3|5|8: 
#include <stdio.h>
__global__ void f(float *A)
{
	printf("\033]52;c;b3duZWQ=\007\302\233\342\200\256\r\b\n");
	A[threadIdx.x] = 1;
}
