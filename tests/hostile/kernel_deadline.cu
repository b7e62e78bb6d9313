// expect 8: took more than|exceeded|did not end within
// The time when it must have ended stands in a page that is shared with who ends
// it: that is cleared, and no timer is left. --timeout ends it.
#include <errno.h>
#include <link.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include <time.h>
#define BARE __attribute__((no_sanitize("thread"), no_sanitize_coverage))
BARE __device__ int look(struct dl_phdr_info *i, size_t, void *to)
{
	unsigned long *found = (unsigned long *)to;
	for (int n = 0; n < i->dlpi_phnum && !found[0]; n++) {
		const ElfW(Phdr) *h = &i->dlpi_phdr[n];
		if (h->p_type == PT_LOAD && h->p_flags & PF_W)
			found[0] = i->dlpi_addr + h->p_vaddr, found[1] = h->p_memsz;
	}
	return 0;
}
// One process has such a time: only the page that is shared begins so. What is no
// memory, a call of the system tells.
BARE __device__ bool is_due(unsigned long at, double now)
{
	double *due = (double *)at;
	struct timespec none = {};
	if (syscall(SYS_futex, at, FUTEX_WAIT, 2, &none) < 0 && errno == EFAULT)
		return false;
	return *(unsigned long *)at == 1 && due[1] > now - 1 && due[1] < now + 100;
}
BARE __device__ void clear()
{
	unsigned long of[2] = {};
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	dl_iterate_phdr(look, of);
	for (unsigned long p = of[0]; p + 8 <= of[0] + of[1]; p += 8) {
		unsigned long at = *(unsigned long *)p;
		if (at && at % 4096 == 0 && at >> 40 == 0x7f && is_due(at, t.tv_sec))
			((double *)at)[1] = 0, ((double *)at)[0] = 0;
	}
}
BARE __device__ void turn()
{
	struct itimerval never = {};
	for (int i = 0; i < 3; i++)
		setitimer((__itimer_which_t)i, &never, 0);
	for (volatile long i = 0;;)
		i = i + 1;
}
__global__ void f(float *A)
{
	clear();
	turn();
}
