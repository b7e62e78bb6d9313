// expect 0|1|2|3|5|8: 
// run --on cpu
#include <stdio.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	char b[200] = "";
	FILE *f = fopen("/etc/passwd", "r");
	if (f) { fgets(b, 200, f); puts(b); }
	f = fopen("@DIR@/secret", "r");
	if (f) { fgets(b, 200, f); puts(b); }
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
