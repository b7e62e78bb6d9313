// expect 8: refused: it tried to start a process
#include <unistd.h>
__attribute__((constructor)) __device__ void c()
{
	if (daemon(0, 0) == 0)
		_exit(0);
}
__global__ void f(float *A) { A[threadIdx.x] = 1; }
