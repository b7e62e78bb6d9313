// expect 8: refused: it tried to send a signal
#include <signal.h>
__global__ void f(float *A)
{
	kill(@VICTIM@, SIGTERM);
	A[threadIdx.x] = 1;
}
