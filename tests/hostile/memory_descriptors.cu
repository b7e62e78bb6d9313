// expect 0: 
// run --on cpu
#include <fcntl.h>
#include <cstdio>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
/* Opens a file until it may not: the system's memory for open files is
 * not counted, but bounded. */
int main()
{
	long n = 0;
	float *d;
	while (n < 100000 && open("/dev/null", O_RDONLY) >= 0)
		n++;
	printf("%s\n", n > 0 && n < 1024 ? "bounded" : "not bounded");
	cudaMalloc((void **)&d, 4096);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
