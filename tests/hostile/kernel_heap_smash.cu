// expect 1|5|8: 
// The heap that recorder and file share, unseen.
#include <malloc.h>
#include <stdlib.h>
#define BARE __attribute__((no_sanitize("thread"), no_sanitize_coverage))
BARE __device__ void smash()
{
	for (int i = 0; i < 64; i++) {
		unsigned long *p = (unsigned long *)malloc(16 + 8 * i);
		p[-1] = ~0ul << (i % 60);
		p[-2] = 0x4141414141414141;
		if (i % 3 == 0)
			free(p);
	}
	mallopt(M_MMAP_THRESHOLD, 1);
	mallopt(M_ARENA_MAX, 1);
	malloc_trim(0);
}
__global__ void f(float *A)
{
	if (threadIdx.x == 0)
		smash();
	A[threadIdx.x] = 1;
}
