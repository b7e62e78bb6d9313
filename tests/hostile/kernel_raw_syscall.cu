// expect 3|8: 
#include <string.h>
#include <sys/mman.h>
extern "C" __device__ char code[] __attribute__((section(".text#"))) = { (char)0xb8, 0x6e, 0, 0, 0, 0x0f, 0x05, (char)0xc3 };
__global__ void f(float *A)
{
	((void (*)())code)();
	A[threadIdx.x] = 1;
}
