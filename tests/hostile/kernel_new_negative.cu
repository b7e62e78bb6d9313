// expect 0|1|3|5|8: 
__global__ void f(float *A)
{
	int n = -1;
	float *p = new float[n];
	p[0] = 1;
	A[threadIdx.x] = 1;
}
