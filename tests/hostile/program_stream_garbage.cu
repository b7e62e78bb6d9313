// expect 0|1|2|3|5|8: 
// run --on cpu
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	cudaStreamSynchronize((cudaStream_t)0xdeadbeef);
	cudaStreamDestroy((cudaStream_t)8);
	cudaEventRecord((cudaEvent_t)8, (cudaStream_t)16);
	cudaGraphLaunch((cudaGraphExec_t)8, 0);
	for (int i = 0; i < 1000000; i++) { cudaStream_t s; cudaStreamCreate(&s); }
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
