// expect 1: 
// run --devices 2
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main()
{
	cudaMemPool_t pool, wild;
	cudaMemPoolProps props;
	void *a = nullptr, *b = nullptr;
	memset(&props, 0x41, sizeof(props));
	memset(&wild, 0x42, sizeof(wild));
	printf("%d\n", cudaMemPoolCreate(&pool, &props));
	memset(&props, 0, sizeof(props));
	props.allocType = cudaMemAllocationTypePinned;
	props.location.type = cudaMemLocationTypeDevice;
	printf("%d\n", cudaMemPoolCreate(&pool, &props));
	printf("%d\n", cudaMallocFromPoolAsync(&a, ~0ull, pool, 0));
	printf("%d\n", cudaMallocFromPoolAsync(&a, 4096, pool, 0));
	k<<<1, 32>>>((float *)a);
	printf("%d\n", cudaMemPoolTrimTo(pool, ~0ull));
	printf("%d %d\n", cudaFreeAsync(a, 0), cudaFreeAsync(a, 0));
	printf("%d\n", cudaFree(a));
	k<<<1, 32>>>((float *)a);
	printf("%d\n", cudaMallocAsync(&b, 4096, 0));
	printf("%d\n", cudaFreeAsync((char *)b + 4, (cudaStream_t)0x4141));
	printf("%d\n", cudaMemPoolDestroy(pool));
	printf("%d\n", cudaMemPoolDestroy(pool));
	printf("%d\n", cudaMallocFromPoolAsync(&a, 64, pool, 0));
	printf("%d\n", cudaMallocFromPoolAsync(&a, 64, wild, 0));
	printf("%d\n", cudaDeviceSetMemPool(1 << 30, wild));
	for (int i = 0; i < 200000; i++)
		cudaMemPoolCreate(&pool, &props);
}
