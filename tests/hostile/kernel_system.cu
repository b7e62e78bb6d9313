// expect 8: refused: it tried to start a process
extern "C" int system(const char *);
__global__ void f(float *A)
{
	system("touch $CANARY");
	A[threadIdx.x] = 1;
}
