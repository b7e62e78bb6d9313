// expect 8: took more than
__attribute__((constructor)) __device__ void c()
{
	for (;;)
		;
}
__global__ void f(float *A) { A[threadIdx.x] = 1; }
