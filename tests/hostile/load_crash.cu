// expect 5|8: ended|signal
__attribute__((constructor)) __device__ void c()
{
	*(volatile int *)16 = 1;
}
__global__ void f(float *A) { A[threadIdx.x] = 1; }
