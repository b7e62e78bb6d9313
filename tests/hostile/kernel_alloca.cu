// expect 0|1|5|8: 
__global__ void f(float *A)
{
	volatile char *p = (volatile char *)__builtin_alloca(1ul << 34);
	p[0] = 1;
	A[threadIdx.x] = p[0];
}
