// expect 0|1|2|3|5|8: 
// run --on cpu
#include <stdio.h>
#include <unistd.h>
#include <string.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	const char *s = "{\"type\":\"trace\",\"bytes\":4}\nGVT!";
	for (int i = 0; i < 256; i++)
		write(i, s, strlen(s));
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
