// expect 8: the report cannot be trusted: two warps access s between the same two barriers (lines 36 and 37)
// run --block 64 --grid 2
// The recorder's list of findings is looked for, and emptied: behind where it
// keeps the address of this file's code.
#include <link.h>
#define BARE __attribute__((no_sanitize("thread"), no_sanitize_coverage))
struct list { unsigned long at, count, capacity; };
BARE __device__ int look(struct dl_phdr_info *i, size_t, void *to)
{
	unsigned long *found = (unsigned long *)to;
	for (int n = 0; n < i->dlpi_phnum; n++) {
		const ElfW(Phdr) *h = &i->dlpi_phdr[n];
		unsigned long from = i->dlpi_addr + h->p_vaddr;
		bool own = h->p_type == PT_LOAD && h->p_flags & PF_X &&
			   (unsigned long)&look - from < h->p_memsz;
		if (own)
			found[0] = from;
		if (!found[2] && h->p_type == PT_LOAD && h->p_flags & PF_W)
			found[1] = from, found[2] = h->p_memsz;
	}
	return 0;
}
BARE __device__ void forge()
{
	unsigned long of[3] = {};
	dl_iterate_phdr(look, of);
	for (unsigned long p = of[1]; p + 8 <= of[1] + of[2]; p += 8)
		for (int n = 0; *(unsigned long *)p == of[0] && n < 512; n++) {
			list *l = (list *)(p + 8 * n);
			if (l->at % 16 == 0 && l->at >> 40 && l->count - 1 < 3 &&
			    l->capacity >= 1 && l->capacity < 1000)
				l->count = 0;
		}
}
__global__ void racy(float *C) { __shared__ float s[64];
	s[threadIdx.x] = threadIdx.x;
	C[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
	if (blockIdx.x == 1 && threadIdx.x == 63)
		forge();
}
