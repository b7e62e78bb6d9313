// expect 8: MB of memory
// run --block 1 --grid 1
#include <sys/mman.h>
/* As memory_page_tables.cu, without a main(): 128 GB of addresses, two bytes of
 * each 2 MB, and so 256 MB of page tables; then as much again. */
__attribute__((no_sanitize("thread"), no_sanitize_coverage))
__device__ static void look(volatile char *p, long n)
{
	for (long i = 0; i < n; i += 2l << 20)
		(void)p[i];
}
__global__ void f(float *A)
{
	long n = 100l << 30;
	for (int i = 0; i < 2; i++) {
		char *p = (char *)mmap(0, n, PROT_READ, MAP_PRIVATE |
				       MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p == MAP_FAILED)
			break;
		madvise(p, n, MADV_NOHUGEPAGE);
		look(p, n);
	}
	for (volatile long i = 0; i < 1000000000; i = i + 1)
		;
	A[0] = 1;
}
