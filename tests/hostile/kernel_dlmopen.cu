// expect 8: refused
#include <dlfcn.h>
__global__ void f(float *A)
{
	dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_NOW);
	A[threadIdx.x] = 1;
}
