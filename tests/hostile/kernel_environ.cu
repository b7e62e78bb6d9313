// expect 0|1|3|5|8: 
#include <unistd.h>
#include <stdlib.h>
__global__ void f(float *A)
{
	extern char **environ;
	environ = (char **)1;
	setenv("TMPDIR", "@DIR@", 1);
	A[threadIdx.x] = 1;
}
