// expect 0|1|5|8: 
#include <stdio.h>
__global__ void f(float *A)
{
	for (int i = 0; i < 20000000; i++)
		printf("a line of forty characters is printed\n");
	A[threadIdx.x] = 1;
}
