// expect 0: what is written is nowhere
// run --on cpu
#include <fcntl.h>
#include <unistd.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	int fd = open("/tmp", O_TMPFILE | O_RDWR, 0600);
	char got = 0;
	if (write(fd, "x", 1) != 1 || lseek(fd, 0, SEEK_SET) ||
	    read(fd, &got, 1) || got)
		d = nullptr;	/* which is a fault */
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
