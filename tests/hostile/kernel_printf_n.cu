// expect 0|1|3|5|8: 
#include <stdio.h>
__global__ void f(float *A)
{
	int n;
	printf("%n%s%99999999999s", &n, "\033[2J", "x");
	A[threadIdx.x] = 1;
}
