// expect 0|1|2|3|5|8: 
// run --on cpu
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	struct rlimit r;
	getrlimit(RLIMIT_AS, &r);
	printf("before %lx\n", r.rlim_max);
	r.rlim_cur = r.rlim_max = -1ul;
	printf("%d\n", setrlimit(RLIMIT_AS, &r));
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
