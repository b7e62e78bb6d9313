// expect 0|1|2|3|5|8: 
// run --on cpu
#include <cuda_runtime.h>
static int r(int n) { volatile char a[100000]; a[n % 1000] = 1; return r(n + 1) + a[n % 7]; }
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	r(0);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
