// expect 1: 
// run --on cpu
// An exception goes through a launch.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; if (threadIdx.x == 40) throw 7; }
int main()
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	for (int i = 0; i < 50; i++)
		try { k<<<2, 64>>>(d); } catch (int n) { printf("%d\n", n); }
	cudaDeviceSynchronize();
}
