// expect 0|1|3|5|8: 
#include <stdio.h>
__global__ void f(float *A)
{
	printf("%1000000000d", 1);
	A[threadIdx.x] = 1;
}
