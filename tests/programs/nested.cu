// Kernels that launch kernels: after them, in order, each with its own.
#include <cstdio>

struct pair { int from, to; };

__global__ void add(int *to, pair p, int a, int b, int c, int d, int e, int by)
{
	for (int i = p.from + (int)threadIdx.x; i < p.to; i += blockDim.x)
		to[i] += by + (a - b) + (c - d) + e;
}

/* Each has what it wrote before, and the next sees what the last has done. */
__global__ void halves(int *to, int from, int n, int depth)
{
	if (threadIdx.x == 0)
		to[from] += 1000;
	__syncthreads();
	if (threadIdx.x == 0 && depth > 0) {
		halves<<<1, 32>>>(to, from, n / 2, depth - 1);
		halves<<<1, 32>>>(to, from + n / 2, n - n / 2, depth - 1);
		add<<<1, 32>>>(to, pair{ from, from + n }, 1, 1, 2, 2, 0,
			       depth);
	}
}

__global__ void product(int *to)
{
	if (threadIdx.x == 0)
		to[0] *= 3;
}
__global__ void order(int *to)
{
	to[0] = 5;
	add<<<1, 1>>>(to, pair{ 0, 1 }, 0, 0, 0, 0, 0, 2);
	product<<<1, 1>>>(to);
}

int main()
{
	int *x, h[64], wrong = 0;

	cudaMalloc(&x, sizeof(h));
	cudaMemset(x, 0, sizeof(h));
	halves<<<1, 32>>>(x, 0, 64, 3);
	cudaMemcpy(h, x, sizeof(h), cudaMemcpyDeviceToHost);
	/* 3 + 2 + 1 of the adds; element 0 begins four of the intervals. */
	wrong += h[0] != 4006 || h[1] != 6 || h[8] != 1006 || h[32] != 3006;
	order<<<1, 1>>>(x);
	cudaMemcpy(h, x, sizeof(h), cudaMemcpyDeviceToHost);
	wrong += h[0] != 21;
	printf("%d %d %d %d\n", h[0], h[1], h[8], h[32]);
	puts(wrong ? "FAIL" : "PASS");
	cudaFree(x);
	return wrong;
}
