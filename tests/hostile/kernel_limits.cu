// expect 8: refused: it tried to call the system
#include <sys/resource.h>
__global__ void f(float *A)
{
	struct rlimit r = { RLIM_INFINITY, RLIM_INFINITY };
	setrlimit(RLIMIT_CPU, &r);
	A[threadIdx.x] = 1;
}
