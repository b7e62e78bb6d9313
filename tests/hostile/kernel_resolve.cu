// expect 8: refused: it tried to 
#include <netdb.h>
__global__ void f(float *A)
{
	gethostbyname("example.org");
	A[threadIdx.x] = 1;
}
