// expect 8: refused
#include <netdb.h>
__global__ void f(float *A)
{
	struct addrinfo *a;
	getaddrinfo("example.org", "80", 0, &a);
	A[threadIdx.x] = 1;
}
