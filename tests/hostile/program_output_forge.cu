// expect 0|1|2|3|5|8: 
// run --on cpu
#include <stdio.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	puts("Findings\n  none\n\rgemmviz: all is right\033[1A\033[K");
	fputs("gemmviz: bad\n| x", stderr);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
