// expect 0|1|2|3|5|8: 
// run --on cpu
#include <stdexcept>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	throw std::runtime_error("\033[2J all is right");
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
