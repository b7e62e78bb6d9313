// expect 0|1|5|8: 
#include <setjmp.h>
__device__ jmp_buf where;
__global__ void f(float *A)
{
	if (threadIdx.x == 0)
		setjmp(where);
	__syncthreads();
	if (threadIdx.x == 1)
		longjmp(where, 1);
	A[threadIdx.x] = 1;
}
