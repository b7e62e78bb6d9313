// cuda::barrier: arrivals and waits of a block, and copies for it.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/barrier>

// CUDA's headers bring it along, and programs count on that.
static_assert(std::chrono::seconds(1).count() == 1, "");

typedef cuda::barrier<cuda::thread_scope_block> barrier;

__global__ void turn(const int *from, int *to)
{
	__shared__ barrier bar;
	__shared__ alignas(16) int a[64], b[64];
	int t = threadIdx.x;

	if (t == 0)
		init(&bar, blockDim.x);
	__syncthreads();
	cuda::memcpy_async(&a[t], &from[t], sizeof(int), bar);
	barrier::arrival_token token = bar.arrive();
	bar.wait(std::move(token));
	b[63 - t] = a[63 - t] + a[t];
#ifndef MISSING
	bar.arrive_and_wait();
#endif
	to[t] = b[t];
	bar.arrive_and_wait();
	cuda::memcpy_async(cooperative_groups::this_thread_block(), a, to,
			   cuda::aligned_size_t<16>(sizeof(a)), bar);
	bar.arrive_and_wait();
	to[t] += a[63 - t];
}

int main()
{
	int *x, *y, wrong = 0;

	cudaMallocManaged(&x, 64 * sizeof(int));
	cudaMallocManaged(&y, 64 * sizeof(int));
	for (int i = 0; i < 64; i++)
		x[i] = i * i;
	turn<<<1, 64>>>(x, y);
	cudaDeviceSynchronize();
	for (int i = 0; i < 64; i++)
		wrong += y[i] != 2 * (i * i + (63 - i) * (63 - i));
	puts(wrong ? "FAIL" : "PASS");
	cudaFree(x);
	cudaFree(y);
	return wrong;
}
