// expect 1: 
// run --devices 2
#include <cstdio>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
__device__ float own[64];
int main()
{
	float *a, *b, *of_a;
	cudaMalloc((void **)&a, 4096);
	cudaGetSymbolAddress((void **)&of_a, own);
	printf("%d %d %d\n", cudaSetDevice(-1), cudaSetDevice(1 << 30), cudaSetDevice(1));
	cudaMalloc((void **)&b, 4096);
	k<<<1, 32>>>(a);
	k<<<1, 32>>>(of_a);
	printf("%d\n", cudaMemcpyPeer(a, -9, b, 1 << 30, 1ull << 62));
	printf("%d\n", cudaMemcpyPeer(a, 0, b, 1, ~0ull));
	printf("%d\n", cudaMemcpyPeer(b, 0, a, 1, 4096));
	printf("%d\n", cudaDeviceEnablePeerAccess(0, 0xffffffff));
	printf("%d\n", cudaDeviceEnablePeerAccess(77, 0));
	printf("%d\n", cudaDeviceReset());
	k<<<1, 32>>>(b);
	printf("%d\n", cudaFree(b));
	cudaSetDevice(0);
	for (int i = 0; i < 100000; i++)
		cudaSetDevice(i % 2), cudaDeviceReset();
	k<<<1, 32>>>(a);
	printf("%d\n", cudaDeviceSynchronize());
}
