// expect 8: refused
#include <pwd.h>
__global__ void f(float *A)
{
	getpwnam("root");
	A[threadIdx.x] = 1;
}
