// expect 0|1|2|3|5|8: 
// run --on cpu
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	cudaTextureObject_t t = 0xdeadbeefdeadbeef;
	cudaResourceDesc r = {};
	r.resType = (cudaResourceType)99;
	cudaTextureDesc x = {};
	cudaCreateTextureObject(&t, &r, &x, 0);
	cudaDestroyTextureObject(0xdeadbeef);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
