// expect 0|1|3|5|8: 
#include <stdlib.h>
__global__ void f(float *A)
{
	quick_exit(0);
	A[threadIdx.x] = 1;
}
