// expect 0|1|8: did not end within
// Threads hand the processor to each other on stacks of their own, for ever.
#include <ucontext.h>
__device__ ucontext_t here[2];
__device__ char stacks[2][65536];
__device__ __attribute__((no_sanitize("thread"), no_sanitize_coverage))
void turn(int i)
{
	for (;;)
		swapcontext(&here[i], &here[1 - i]);
}
__global__ void f(float *A)
{
	for (int i = 0; i < 2; i++) {
		getcontext(&here[i]);
		here[i].uc_stack.ss_sp = stacks[i];
		here[i].uc_stack.ss_size = sizeof(stacks[i]);
		makecontext(&here[i], (void (*)())turn, 1, i);
	}
	setcontext(&here[0]);
}
