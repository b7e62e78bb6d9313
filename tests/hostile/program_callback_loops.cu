// expect 1|8: 
// run --on cpu
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
static float *d;
static void again(void *s)
{
	k<<<1, 32, 0, (cudaStream_t)s>>>(d);
	cudaLaunchHostFunc((cudaStream_t)s, again, s);
	cudaStreamSynchronize((cudaStream_t)s);
	cudaStreamDestroy((cudaStream_t)s);
}
int main()
{
	cudaStream_t s;
	cudaMalloc((void **)&d, 4096);
	cudaStreamCreate(&s);
	cudaLaunchHostFunc(s, again, s);
	cudaDeviceSynchronize();
}
