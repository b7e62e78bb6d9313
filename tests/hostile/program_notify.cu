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
	int f = open(".", O_RDONLY);
	printf("%d %d %d\n", f, fcntl(f, F_NOTIFY, 0x8000003f), fcntl(f, F_SETLEASE, 1));
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
