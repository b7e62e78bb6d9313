// expect 8: refused: it tried to use the network
#include <sys/socket.h>
__global__ void f(float *A)
{
	socket(AF_INET, SOCK_STREAM, 0);
	A[threadIdx.x] = 1;
}
