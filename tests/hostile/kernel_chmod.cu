// expect 8: refused: it tried to change files
#include <sys/stat.h>
__global__ void f(float *A)
{
	chmod("@DIR@/secret", 0777);
	A[threadIdx.x] = 1;
}
