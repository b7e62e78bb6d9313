// expect 0|1|2|3|5|8: 
// run --on cpu
#include <stdio.h>
#include <sys/ioctl.h>
#include <fcntl.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	int v = @VICTIM@, on = 1;
	for (int i = 3; i < 256; i++)
		if (!ioctl(i, 0x8901, &v) && !ioctl(i, FIOASYNC, &on))
			printf("owned %d\n", i);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
