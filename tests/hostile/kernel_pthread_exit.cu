// expect 0|1|3|5|8: 
#include <pthread.h>
__global__ void f(float *A)
{
	pthread_exit(0);
	A[threadIdx.x] = 1;
}
