// expect 1|8: 
// run --block 256 --grid 4096
#include <sys/mman.h>
__attribute__((no_sanitize("thread"), no_sanitize_coverage))
__device__ static void take(volatile char *p, long n)
{
	for (long i = 0; i < n; i += 4096)
		p[i] = 1;
}
/* Only the last blocks, which helpers record, take memory: in the worker alone
 * nothing is seen of it. */
__global__ void f(float *A)
{
	for (int n = 0; n < 3; n++)
		A[threadIdx.x] += n;
	if (blockIdx.x >= 3900 && threadIdx.x == 0) {
		long n = 8l << 20;
		void *p = mmap(0, n, PROT_READ | PROT_WRITE, MAP_PRIVATE |
			       MAP_ANONYMOUS, -1, 0);
		if (p != MAP_FAILED)
			take((char *)p, n);
	}
}
