// expect 0|1|5|8: 
#include <assert.h>
__global__ void f(float *A)
{
	assert(!"\033[2J\033]0;x\007");
	A[threadIdx.x] = 1;
}
