// expect 0|1|3|5|8|70: 
__global__ void f(float *A)
{
	for (int i = 0; i < 100; i++) {
		char *p = (char *)malloc(1ul << 40);
		if (p)
			p[0] = 1;
	}
	A[threadIdx.x] = 1;
}
