// expect 8: refused: it tried to make memory executable
#include <stdint.h>
#include <sys/mman.h>
__global__ void f(float *A)
{
	static __device__ char page[8192];
	mprotect((void *)(((uintptr_t)page + 4095) & -4096), 4096, PROT_READ | PROT_EXEC);
	A[threadIdx.x] = 1;
}
