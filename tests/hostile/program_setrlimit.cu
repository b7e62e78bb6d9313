// expect 0|1|2|3|5|8: 
// run --on cpu
#include <sys/resource.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	struct rlimit r = { -1ul, -1ul };
	for (int i = 0; i < 16; i++)
		setrlimit(i, &r);
	r.rlim_cur = r.rlim_max = 0;
	for (int i = 0; i < 16; i++)
		setrlimit(i, &r);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
