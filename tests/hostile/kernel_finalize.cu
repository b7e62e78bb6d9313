// expect 1|5|8: 
// The destructors of the recorder and its libraries run under it.
extern "C" void __cxa_finalize(void *);
extern "C" int __cxa_atexit(void (*)(void *), void *, void *);
__device__ void again(void *A) { __cxa_finalize(nullptr); *(float *)A = 2; }
__global__ void f(float *A)
{
	__cxa_atexit(again, A, nullptr);
	__cxa_finalize(nullptr);
	A[threadIdx.x] = 1;
}
