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
	int f = open("/proc/self/mem", O_RDONLY);
	printf("%d\n", f);
	f = open("/proc/self/environ", O_RDONLY);
	printf("%d\n", f);
	f = open("/proc/1/cmdline", O_RDONLY);
	printf("%d\n", f);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
