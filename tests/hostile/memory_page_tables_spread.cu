// expect 1|8: 
// run --on cpu
#include <sys/mman.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
/* Maps pages so far apart that each needs page tables of its own, of 2 MB and of
 * 1 GB. */
int main()
{
	char *at = (char *)0x10000000000;
	float *d;
	for (long i = 0; i < 60000; i++) {
		volatile char *p = (char *)mmap(at + (i << 30), 4096, PROT_READ,
						MAP_PRIVATE | MAP_FIXED |
						MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED)
			return 1;
		(void)*p;	/* 480 MB in all */
	}
	cudaMalloc((void **)&d, 4096);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
