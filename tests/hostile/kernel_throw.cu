// expect 0|1|3|5|8: 
__global__ void f(float *A)
{
	throw 1;
	A[threadIdx.x] = 1;
}
