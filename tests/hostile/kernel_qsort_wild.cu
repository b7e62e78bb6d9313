// expect 0|1|3|5|8: 
#include <stdlib.h>
__global__ void f(float *A)
{
	qsort((void *)0x1000, 1 << 20, 4096, [](const void *, const void *) { return 1; });
	A[threadIdx.x] = 1;
}
