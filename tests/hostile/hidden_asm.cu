// expect 3|8: 
#define JOIN(a, b) a##b
__global__ void f(float *A)
{
	JOIN(__as, m__)("syscall" : : "a"(110) : "rcx", "r11", "memory");
	A[threadIdx.x] = 1;
}
