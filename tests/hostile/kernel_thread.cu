// expect 8: refused: it tried to start a process
#include <pthread.h>
__device__ void *run(void *p) { return p; }
__global__ void f(float *A)
{
	pthread_t t;
	if (threadIdx.x == 0)
		pthread_create(&t, 0, run, 0);
	A[threadIdx.x] = 1;
}
