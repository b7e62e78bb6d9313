// expect 8: refused
// run --on cpu
#include <sys/mman.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
