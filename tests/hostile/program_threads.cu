// expect 0: 
// run --on cpu
#include <thread>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	std::thread t([] { }); t.join();
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
