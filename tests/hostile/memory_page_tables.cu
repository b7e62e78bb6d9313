// expect 1|8: 
// run --on cpu
#include <sys/mman.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
/* Reads a word of each 2 MB: each takes a page of page tables and nothing else. */
int main()
{
	long n = 1l << 40;
	volatile char *p = (char *)mmap(0, n, PROT_READ, MAP_PRIVATE |
					MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	float *d;
	if (p == MAP_FAILED)
		return 1;
	madvise((void *)p, n, MADV_NOHUGEPAGE);
	for (long i = 0; i < n; i += 2l << 20)
		(void)p[i];
	cudaMalloc((void **)&d, 4096);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
