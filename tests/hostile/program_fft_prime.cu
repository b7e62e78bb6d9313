// expect 1|8: 
// run --on cpu
// Work without end in a library's function.
#include <cufft.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main()
{
	cufftHandle q;
	cufftDoubleComplex *d;
	cudaMalloc((void **)&d, 16 * 65521ul);
	k<<<1, 32>>>((float *)d);
	cufftPlan1d(&q, 65521, CUFFT_Z2Z, 1);
	for (;;)
		cufftExecZ2Z(q, d, d, CUFFT_FORWARD);
}
