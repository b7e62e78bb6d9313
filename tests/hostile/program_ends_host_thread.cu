// expect 1: 
// run --on cpu
// The main thread is gone, the others throw and end each other.
#include <pthread.h>
#include <stdexcept>
#include <thread>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
static float *d;
static void *turn(void *t) { pthread_cancel((pthread_t)t); k<<<1, 32>>>(d); throw std::runtime_error("x"); }
int main()
{
	pthread_t t;
	cudaMalloc((void **)&d, 4096);
	pthread_create(&t, nullptr, turn, (void *)pthread_self());
	pthread_exit(nullptr);
}
