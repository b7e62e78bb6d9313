// expect 3|5|8: 
#define PASTE(a, b) a##b
__global__ void f(float *A)
{
	PASTE(as, m) volatile ("mov $20, %eax\nint $0x80");
	A[threadIdx.x] = 1;
}
