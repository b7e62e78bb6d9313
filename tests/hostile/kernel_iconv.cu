// expect 0|1|3|5|8: 
#include <iconv.h>
__global__ void f(float *A)
{
	iconv_open("UTF-8", "GBK");
	A[threadIdx.x] = 1;
}
