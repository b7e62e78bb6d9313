// expect 1|5: 
// run --on cpu
#include <cstring>
#include <pthread.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
static void *self(void *) { pthread_join(pthread_self(), nullptr); pthread_exit((void *)1); }
int main()
{
	float *d;
	pthread_t t, wild;
	pthread_mutex_t m;
	pthread_cond_t c;
	pthread_barrier_t b;
	cudaMalloc((void **)&d, 4096);
	k<<<1, 32>>>(d);
	memset(&m, 0x41, sizeof(m)), memset(&c, 0x42, sizeof(c));
	memset(&b, 0x43, sizeof(b)), memset(&wild, 0x44, sizeof(wild));
	pthread_create(&t, nullptr, self, nullptr);
	pthread_join(t, nullptr);
	pthread_join(t, nullptr);
	pthread_detach(t);
	pthread_cond_signal(&c);
	pthread_cond_broadcast(&c);
	pthread_mutex_trylock(&m);
	pthread_create(&t, nullptr, (void *(*)(void *))0x4141, nullptr);
	pthread_detach(wild);
	pthread_join(wild, nullptr);
	pthread_cond_wait(&c, &m);
	pthread_barrier_wait(&b);
}
