// expect 8: refused: it tried to use the network
#include <sys/socket.h>
__attribute__((constructor)) __device__ void c()
{
	socket(AF_INET, SOCK_STREAM, 0);
}
__global__ void f(float *A) { A[threadIdx.x] = 1; }
