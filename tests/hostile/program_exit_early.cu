// expect 0|1|3|5|8: 
// run --on cpu
#include <stdlib.h>
#include <unistd.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	if (argc == 1)
		_exit(0);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
