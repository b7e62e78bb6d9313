// expect 8: took more than|exceeded
// run --block 32 --grid 1 --timeout 3
__attribute__((constructor)) __device__ void c()
{
	for (volatile long i = 0; i < 20000000000; i = i + 1)
		;
}
__global__ void f(float *A) { A[threadIdx.x] = 1; }
