// expect 8: refused: it tried to 
#include <unistd.h>
__global__ void f(float *A)
{
	char *argv[] = { (char *)"true", 0 };
	execvp("true", argv);
	A[threadIdx.x] = 1;
}
