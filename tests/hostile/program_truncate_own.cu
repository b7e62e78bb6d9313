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
	printf("%d\n", open(__FILE__, O_RDONLY | O_TRUNC));
	printf("%d\n", open("program_notify.cu", O_RDONLY | O_TRUNC));
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
