// expect 8: did not end within
// It waits in the C library, for a lock that it holds itself.
#include <pthread.h>
__device__ pthread_spinlock_t lock;
__global__ void f(float *A)
{
	pthread_spin_init(&lock, 0);
	pthread_spin_lock(&lock);
	pthread_spin_lock(&lock);
	A[threadIdx.x] = 1;
}
