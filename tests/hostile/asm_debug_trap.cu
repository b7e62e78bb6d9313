// expect 0|1|3|5|8: 
#define PASTE(a, b) a##b
__global__ void f(float *A)
{
	PASTE(as, m) volatile ("int3");
	A[threadIdx.x] = 1;
}
