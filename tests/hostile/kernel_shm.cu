// expect 8: refused: it tried to 
#include <sys/mman.h>
#include <fcntl.h>
__global__ void f(float *A)
{
	shm_open("/@NAME@", O_CREAT | O_RDWR, 0600);
	A[threadIdx.x] = 1;
}
