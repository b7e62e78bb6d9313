// expect 0|1|2|3|5|8: 
// run --on cpu
#include <string.h>
#include <cuda_runtime.h>
extern "C" __attribute__((visibility("default"))) void *malloc(unsigned long n) { return 0; }
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
