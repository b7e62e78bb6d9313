// expect 8: refused: it tried to 
#include <sys/syscall.h>
#include <unistd.h>
__global__ void f(float *A)
{
	syscall(SYS_copy_file_range, 0, 0, 2, 0, 16, 0);
	A[threadIdx.x] = 1;
}
