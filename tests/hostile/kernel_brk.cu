// expect 0|1|5|8: 
#include <unistd.h>
__global__ void f(float *A)
{
	for (int i = 0; i < 100000; i++)
		*(volatile char *)sbrk(1 << 20) = 1;
	A[threadIdx.x] = 1;
}
