// expect 1|5|8: 
// A stack's end is jumped over, in one step.
__global__ void f(float *A, int n)
{
	volatile char wide[(long)n << 30];
	wide[0] = 1;
	wide[((long)n << 30) - 1] = 1;
	volatile char less[-(long)n * 100000];
	less[0] = less[100] = 1;
	A[threadIdx.x] = wide[5];
}
