// expect 8: refused
// run --on cpu
#include <sys/socket.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	socket(AF_INET, SOCK_STREAM, 0);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
