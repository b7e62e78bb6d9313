// expect 8: MB of memory
// run --on cpu
#include <pthread.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
/* 4000 threads at once, each of which uses 400 kB of its stack. */
static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
static void *use(void *)
{
	volatile char much[400000];
	for (int i = 0; i < 400000; i += 1000)
		much[i] = 1;
	pthread_mutex_lock(&all);
	pthread_mutex_unlock(&all);
	return 0;
}
int main()
{
	static pthread_t t[4000];
	float *d;
	pthread_mutex_lock(&all);
	for (int i = 0; i < 4000; i++)
		pthread_create(&t[i], 0, use, 0);
	pthread_mutex_unlock(&all);
	for (int i = 0; i < 4000; i++)
		pthread_join(t[i], 0);
	cudaMalloc((void **)&d, 4096);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
