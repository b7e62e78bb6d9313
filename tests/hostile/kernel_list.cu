// expect 8: refused: it tried to open a file
#include <dirent.h>
__global__ void f(float *A)
{
	opendir("/");
	A[threadIdx.x] = 1;
}
