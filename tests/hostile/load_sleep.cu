// expect 8: refused: it tried to wait
#include <unistd.h>
__attribute__((constructor)) __device__ void c()
{
	sleep(30);
}
__global__ void f(float *A) { A[threadIdx.x] = 1; }
