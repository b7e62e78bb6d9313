// expect 0|1|3|5|8: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".section .note.GNU-stack,\"x\",@progbits\n.text");
__global__ void f(float *A)
{
	unsigned char code[] = { 0xb8, 0x6e, 0, 0, 0, 0x0f, 0x05, 0xc3 };
	((void (*)())code)();
	A[threadIdx.x] = 1;
}
