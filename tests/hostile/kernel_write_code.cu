// expect 0|1|5|8: 
#include <string.h>
#include <sys/mman.h>
__global__ void f(float *A)
{
	unsigned char code[] = { 0xb8, 0x6e, 0, 0, 0, 0x0f, 0x05, 0xc3 };
	char *page = (char *)((unsigned long)&f & ~4095ul);
	mprotect(page, 4096, PROT_READ | PROT_WRITE);
	memcpy((void *)&f, code, sizeof(code));
	mprotect(page, 4096, PROT_READ | PROT_EXEC);
	A[threadIdx.x] = 1;
}
