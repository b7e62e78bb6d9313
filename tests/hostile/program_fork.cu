// expect 8: refused
// run --on cpu
#include <unistd.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	fork();
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
