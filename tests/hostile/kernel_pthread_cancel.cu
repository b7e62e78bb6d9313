// expect 0|1|3|5|8: 
#include <pthread.h>
__global__ void f(float *A)
{
	pthread_cancel(pthread_self());
	for (;;)
		pthread_testcancel();
	A[threadIdx.x] = 1;
}
