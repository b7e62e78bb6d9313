// expect 8: refused
#include <syslog.h>
__global__ void f(float *A)
{
	syslog(LOG_ERR, "owned");
	A[threadIdx.x] = 1;
}
