// expect 8: refused: it tried to make memory executable
#include <sys/mman.h>
__global__ void f(float *A)
{
	mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	A[threadIdx.x] = 1;
}
