// expect 0|1|2|3|5|8: 
// run --on cpu
#include <stdio.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	for (int i = 0; i < argc; i++)
		puts(argv[i]);
	argv[0] = (char *)8;
	argv[1000] = (char *)8;
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
