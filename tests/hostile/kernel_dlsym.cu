// expect 0|1|3|5|8: 
#include <dlfcn.h>
__global__ void f(float *A)
{
	void *p = dlsym(RTLD_DEFAULT, "serve_answer");
	if (p)
		((void (*)(const char *, void *))p)("trace", 0);
	dlclose(dlopen(0, RTLD_NOW));
	A[threadIdx.x] = 1;
}
