// expect 8: took more than
#include <unistd.h>
__attribute__((constructor)) __device__ void c()
{
	sleep(30);
}
__global__ void f(float *A) { A[threadIdx.x] = 1; }
