// expect 0|1|5|8: 
__global__ void f(float *A)
{
	((long (*)(void *))0xffffffffff600000)(0);
	A[threadIdx.x] = 1;
}
