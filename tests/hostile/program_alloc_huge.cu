// expect 0|1|2|3|5|8: 
// run --on cpu
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	for (int i = 0; i < 64; i++)
		cudaMalloc((void **)&d, 1ul << i), cudaMemset(d, 1, 1ul << i);
	cudaMalloc((void **)&d, -1ul);
	cudaMallocPitch((void **)&d, 0, -1ul, -1ul);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
