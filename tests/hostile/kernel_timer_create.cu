// expect 8: refused
#include <time.h>
#include <signal.h>
__global__ void f(float *A)
{
	timer_t t;
	struct sigevent e = {};
	e.sigev_notify = SIGEV_THREAD;
	timer_create(CLOCK_REALTIME, &e, &t);
	A[threadIdx.x] = 1;
}
