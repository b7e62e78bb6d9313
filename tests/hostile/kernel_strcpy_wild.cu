// expect 0|1|3|5|8: 
#include <string.h>
__global__ void f(float *A)
{
	strcpy((char *)(void *)&strcpy, "owned");
	A[threadIdx.x] = 1;
}
