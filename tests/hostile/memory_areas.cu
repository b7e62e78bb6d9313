// expect 0|8|70: memory
// run --on cpu
#include <sys/mman.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
/* As many areas as the system lets it have, which takes memory of the system. */
int main()
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	for (long i = 0; i < 70000; i++)
		if (mmap(0, 4096, i % 2 ? PROT_READ : PROT_NONE, MAP_PRIVATE |
			 MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
			break;
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
