// expect 0|1|5: 
// run --on cpu
// What it has written is written again, after it was told of.
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main()
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	for (int i = 0; i < 300; i++) {
		puts("a line");
		lseek(1, i % 3 ? 1l << (i % 63) : -1, SEEK_SET);
		pwrite(1, "\033[2J\233\0gemmviz: all is right\n", 27, i);
		ftruncate(1, 1l << 40);
	}
	lseek(1, ~0ull >> 1, SEEK_SET);
	close(1), close(2);
	k<<<1, 32>>>(d);
}
