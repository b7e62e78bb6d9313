// expect 1: 
// run --on cpu
#include <cstdio>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main()
{
	char here[64], *p;
	size_t pitch;
	cudaPointerAttributes of;
	printf("%d\n", cudaMallocManaged((void **)&p, ~0ull));
	printf("%d\n", cudaMallocPitch((void **)&p, &pitch, 1ull << 63, 1ull << 63));
	printf("%d\n", cudaMalloc3D((cudaPitchedPtr *)here, make_cudaExtent(~0ull, ~0ull, ~0ull)));
	printf("%d\n", cudaHostRegister(here, 1ull << 62, 0));
	printf("%d\n", cudaHostUnregister((void *)0x4141));
	printf("%d\n", cudaHostGetDevicePointer((void **)&p, (void *)0x4141, 9));
	printf("%d\n", cudaPointerGetAttributes(&of, (void *)~0ull));
	cudaMalloc((void **)&p, 4096);
	printf("%d\n", cudaMemset2D(p, ~0ull, 1, ~0ull, 1ull << 62));
	printf("%d\n", cudaMemcpy2D(p, 1ull << 62, here, 1ull << 62, 64, 1ull << 62, cudaMemcpyDefault));
	printf("%d\n", cudaMemcpy(p, here, 1ull << 62, (cudaMemcpyKind)99));
	printf("%d\n", cudaFree(here));
	printf("%d\n", cudaFree(p + 1));
	printf("%d\n", cudaFreeHost(p));
	k<<<1, 32>>>((float *)p);
	k<<<1, 32>>>((float *)here);
}
