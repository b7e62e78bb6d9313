// expect 0|1|2|3|5|8: 
// run --on cpu
#include <sys/resource.h>
#include <sys/time.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	struct rlimit r = { 0, 0 };
	prlimit(0, RLIMIT_FSIZE, &r, 0);
	prlimit(0, RLIMIT_AS, &r, 0);
	prlimit(0, RLIMIT_CPU, &r, 0);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
