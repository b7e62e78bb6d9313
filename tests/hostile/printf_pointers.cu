// expect 0|1|5|8: 
#include <stdio.h>
__global__ void f(float *A)
{
	printf("%s%s%n%s\n", (char *)16, (char *)-1, (int *)16);
	A[threadIdx.x] = 1;
}
