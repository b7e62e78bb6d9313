// expect 8: refused
// run --on cpu
#include <fcntl.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	open("/proc/self/mem", O_RDWR);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
