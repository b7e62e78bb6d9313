// expect 1: 
// run --on cpu
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main()
{
	cudaGraph_t g, wild;
	cudaGraphExec_t x, wild_x;
	cudaGraphNode_t a, b;
	cudaKernelNodeParams p;
	float *d;
	cudaMalloc((void **)&d, 4096);
	memset(&wild, 0x41, sizeof(wild)), memset(&wild_x, 0x42, sizeof(wild_x));
	memset(&p, 0x43, sizeof(p));
	printf("%d\n", cudaGraphCreate(&g, 0));
	cudaGraphAddEmptyNode(&a, g, nullptr, 0);
	cudaGraphAddEmptyNode(&b, g, &a, 1);
	printf("%d\n", cudaGraphAddDependencies(g, &b, &a, 1));
	printf("%d\n", cudaGraphAddChildGraphNode(&b, g, nullptr, 0, g));
	printf("%d\n", cudaGraphInstantiate(&x, g, nullptr, nullptr, 0));
	printf("%d\n", cudaGraphLaunch(x, 0));
	printf("%d\n", cudaGraphAddKernelNode(&a, g, (cudaGraphNode_t *)0x44, 1ull << 60, &p));
	printf("%d\n", cudaGraphDestroy(g));
	printf("%d\n", cudaGraphDestroy(g));
	printf("%d\n", cudaGraphLaunch(wild_x, 0));
	printf("%d\n", cudaGraphInstantiate(&x, wild, nullptr, nullptr, 0));
	k<<<1, 32>>>(d);
}
