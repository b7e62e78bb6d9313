// expect 8: refused: it tried to 
#include <signal.h>
#include <unistd.h>
__attribute__((constructor)) __device__ void c()
{
	pid_t parent = getppid();
	if (parent > 1)
		kill(parent, SIGKILL);
}
__global__ void f(float *A) { A[threadIdx.x] = 1; }
