// expect 0|1|2|3|5|8: 
// run --on cpu
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	cudaMemcpy(d, (void *)8, 1ul << 40, cudaMemcpyHostToDevice);
	cudaMemcpy((void *)&main, d, 4096, cudaMemcpyDeviceToHost);
	cudaMemcpy(d, d, -1ul, (cudaMemcpyKind)99);
	cudaMemcpy2D(d, -1ul, d, -1ul, -1ul, -1ul, cudaMemcpyDefault);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
