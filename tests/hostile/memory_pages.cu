// expect 8: MB of memory
// run --on cpu
#include <sys/mman.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main()
{
	long n = 2l << 30;
	volatile char *p = (char *)mmap(0, n, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	float *d;
	for (long i = 0; i < n; i += 4096)
		p[i] = 1;
	cudaMalloc((void **)&d, 4096);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
