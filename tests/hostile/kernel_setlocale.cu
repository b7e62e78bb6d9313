// expect 0|1|3|5|8: 
#include <locale.h>
__global__ void f(float *A)
{
	setlocale(LC_ALL, "zh_CN.GBK");
	setlocale(LC_ALL, "@DIR@");
	A[threadIdx.x] = 1;
}
