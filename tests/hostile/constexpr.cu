// expect 3: 
constexpr long sum(long n)
{
	long s = 0;
	for (long i = 0; i < n; i++)
		s += i;
	return s;
}
constexpr long z = sum(1l << 40);
__global__ void f(float *A) { A[threadIdx.x] = 1; }
