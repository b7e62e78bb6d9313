// expect 0: 
// run --on cpu
// It goes on after its end: handlers, a destructor, a variable of a thread.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
static float *d;
static void later()
{
	static int times;
	k<<<1, 32>>>(d);
	printf("%d\n", (int)cudaFree(d));
	if (times++ < 1000)
		atexit(later);
}
static struct ends { ~ends() { k<<<1, 32>>>(d); exit(7); } } at_end;
static thread_local struct again { int x = 1; ~again() { k<<<1, 32>>>(d); abort(); } } of_thread;
int main()
{
	cudaMalloc((void **)&d, 4096);
	of_thread.x = 2;
	atexit(later);
	at_quick_exit(later);
}
