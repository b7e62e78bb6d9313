// expect 0|1|3|5|8: 
#define PASTE(a, b) a##b
__global__ void f(float *A)
{
	PASTE(as, m) volatile ("xor %eax, %eax\nwrfsbase %rax");
	A[threadIdx.x] = 1;
}
