// expect 1|5: 
// The recorder's functions are called at each of their bytes.
extern "C" void __tsan_write4(void *);
extern "C" void __tsan_func_entry(void *);
__global__ void f(float *A)
{
	for (int i = 1; i < 200; i++)
		((void (*)(void *, long, long))((char *)&__tsan_write4 + i))(A, 1 << 20, -1);
	A[threadIdx.x] = 1;
}
