// expect 8: :5: refused: it tried to open a file
#include <sys/stat.h>
__global__ void f(struct stat *A)
{
	if (stat("/root/.ssh", A) == 0)
		A[threadIdx.x].st_size = 1;
}
