// expect 8: refused: it tried to change files
#include <unistd.h>
__global__ void f(float *A)
{
	symlink("/etc/shadow", "/tmp/gemmviz-canary");
	A[threadIdx.x] = 1;
}
