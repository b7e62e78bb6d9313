// expect 1|5|8: 
// run --on cpu
#include <thread>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main()
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	for (int i = 0; i < 1000000; i++)
		std::thread([=] { k<<<1, 32>>>(d); for (;;) std::this_thread::yield(); }).detach();
}
