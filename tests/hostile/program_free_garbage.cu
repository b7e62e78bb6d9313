// expect 0|1|2|3|5|8: 
// run --on cpu
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	cudaFree((void *)8);
	cudaFree(&d);
	cudaFree(d);
	cudaFree(d);
	cudaFreeHost((void *)main);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
