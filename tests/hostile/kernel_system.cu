// expect 8: refused: it tried to start a process
extern "C" int system(const char *);
__global__ void f(float *A)
{
	if (threadIdx.x == 0)
		system("touch @DIR@/canary");
	A[threadIdx.x] = 1;
}
