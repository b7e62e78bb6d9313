// expect 1|5|8: 
// run --on cpu
// A timer's handler launches in the middle of a launch, and of the recorder.
#include <csignal>
#include <sys/time.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { for (int i = 0; i < 1000; i++) A[threadIdx.x] += 1; }
static float *d;
static void h(int) { k<<<1, 32>>>(d); cudaFree(d); cudaMalloc((void **)&d, 4096); }
int main()
{
	cudaMalloc((void **)&d, 4096);
	signal(SIGALRM, h);
	struct itimerval t = { { 0, 500 }, { 0, 500 } };
	setitimer(ITIMER_REAL, &t, nullptr);
	for (int i = 0; i < 1000; i++)
		k<<<4, 64>>>(d);
}
