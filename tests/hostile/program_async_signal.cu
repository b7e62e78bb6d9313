// expect 0|1|2|3|5|8: 
// run --on cpu
#include <stdio.h>
#include <fcntl.h>
#include <unistd.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	for (int i = 3; i < 256; i++) {
		if (fcntl(i, F_SETOWN, @VICTIM@) || fcntl(i, F_SETSIG, 9))
			continue;
		fcntl(i, F_SETFL, O_ASYNC);
		printf("owned %d\n", i);
	}
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
