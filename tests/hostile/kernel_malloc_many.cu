// expect 0|1|3|5|8|70: 
__global__ void f(float *A)
{
	for (;;) {
		char *p = (char *)malloc(1 << 20);
		if (!p)
			break;
		for (int i = 0; i < 1 << 20; i += 4096)
			p[i] = 1;
	}
	A[threadIdx.x] = 1;
}
