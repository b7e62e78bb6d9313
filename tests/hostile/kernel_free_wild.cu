// expect 0|1|3|5|8: 
__global__ void f(float *A)
{
	__shared__ float s[32];
	free(s);
	free(A);
	free((void *)8);
	void *p = malloc(8);
	free(p);
	free(p);
	A[threadIdx.x] = 1;
}
