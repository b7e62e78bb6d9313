// expect 0|1|2|3|5|8: 
// run --on cpu
#include <stdio.h>
#include <sys/mman.h>
#include <fcntl.h>
#include <unistd.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	for (int i = 0; i < 12; i++) {
		int f = memfd_create("x", 0);
		if (fallocate(f, 0, 0, 100 << 20)) break;
		printf("%d\n", i), fflush(stdout);
	}
	for (volatile long i = 0; i < 1000000000; i = i + 1)
		;
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
