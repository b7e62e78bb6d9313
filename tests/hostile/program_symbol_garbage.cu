// expect 0|1|2|3|5|8: 
// run --on cpu
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	cudaMemcpyToSymbol((const void *)8, d, 4);
	cudaFuncSetAttribute((const void *)8, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30);
	void *a[] = { (void *)8 };
	cudaLaunchKernel((const void *)8, 1, 32, a, 0, 0);
	cudaLaunchKernel((const void *)k, 1, 32, (void **)8, 0, 0);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
