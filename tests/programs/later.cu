// Kernels that wait for what the host does after their launch has returned.
#include <cstdio>
#include <cstring>
#include <thread>
#include <unistd.h>
#include <cuda_runtime.h>

__device__ volatile int latch;

__global__ void waits(volatile int *flag, int *out)
{
	if (threadIdx.x == 0)
		while (*flag == 0)
			__nanosleep(100);
	__syncthreads();
	out[threadIdx.x + blockIdx.x * blockDim.x] = *flag;
}

__global__ void adds(int *out)
{
	out[threadIdx.x + blockIdx.x * blockDim.x] += 1;
}

__global__ void asks(volatile int *question, volatile int *answer, int n)
{
	for (int i = 1; i <= n; i++) {
		*question = i;
		__threadfence_system();
		while (*answer != i)
			;
	}
}

__global__ void counts(int *flag, int *out)
{
	while (atomicAdd(flag, 0) == 0)
		;
	*out = 5;
}

__global__ void latched(int *out)
{
	while (!latch)
		;
	*out = 6;
}

static int *flag, *answer, *out, *pinned, *word;
static cudaStream_t own, apart;
static cudaEvent_t event;
static int one = 1;

static bool holds(const int *at, int n, int value)
{
	for (int i = 0; i < n; i++)
		if (at[i] != value) {
			printf("%d: %d, not %d\n", i, at[i], value);
			return false;
		}
	return true;
}

static bool out_holds(int n, int value)
{
	int host[64];

	cudaMemcpy(host, out, n * sizeof(int), cudaMemcpyDeviceToHost);
	return holds(host, n, value);
}

static void add_ten(void *of)
{
	for (int i = 0; i < 64; i++)
		((int *)of)[i] += 10;
}

static bool plain()
{
	waits<<<2, 32>>>(answer, out);
	*answer = 7;
	cudaDeviceSynchronize();
	return out_holds(64, 7);
}

static bool queue()
{
	waits<<<2, 32, 0, own>>>(answer, out);
	adds<<<2, 32, 0, own>>>(out);
	cudaMemcpyAsync(pinned, out, 256, cudaMemcpyDeviceToHost, own);
	cudaLaunchHostFunc(own, add_ten, pinned);
	cudaMemsetAsync(out, 0, 256, own);
	cudaEventRecord(event, own);
	*answer = 3;
	cudaEventSynchronize(event);
	return holds(pinned, 64, 14) && out_holds(64, 0);
}

static bool copy()
{
	waits<<<2, 32, 0, own>>>(word, out);
	cudaMemcpyAsync(word, &one, 4, cudaMemcpyHostToDevice, apart);
	cudaStreamSynchronize(own);
	return out_holds(64, 1);
}

static bool ask()
{
	asks<<<1, 1>>>(answer, flag, 5);
	for (int i = 1; i <= 5; i++) {
		while (*(volatile int *)answer != i)
			;
		*(volatile int *)flag = i;
	}
	return cudaDeviceSynchronize() == cudaSuccess;
}

static bool threads()
{
	waits<<<2, 32>>>(answer, out);
	std::thread t([] { usleep(1000); *answer = 2; });
	cudaDeviceSynchronize();
	t.join();
	return out_holds(64, 2);
}

static bool atomic()
{
	counts<<<1, 1>>>(answer, out);
	*answer = 1;
	return out_holds(1, 5);
}

static bool symbol()
{
	latched<<<1, 1, 0, apart>>>(out);
	cudaMemcpyToSymbolAsync(latch, &one, 4, 0, cudaMemcpyHostToDevice,
				own);
	cudaStreamSynchronize(apart);
	return out_holds(1, 6);
}

static bool query()
{
	int n = 0;

	waits<<<2, 32, 0, apart>>>(answer, out);
	cudaEventRecord(event, apart);
	while (cudaEventQuery(event) == cudaErrorNotReady)
		if (++n == 10)
			*answer = 1;
	while (cudaStreamQuery(apart) != cudaSuccess)
		;
	return n == 10 && out_holds(64, 1);
}

static bool again()
{
	for (int i = 1; i < 20; i++) {
		*answer = 0;
		waits<<<2, 32, 0, own>>>(answer, out);
		*answer = i;
		cudaStreamSynchronize(own);
		if (!out_holds(64, i))
			return false;
	}
	return true;
}

static bool endless()
{
	waits<<<2, 32>>>(answer, out);
	cudaDeviceSynchronize();
	*answer = 1;
	return true;
}

static bool copied()
{
	waits<<<2, 32>>>(answer, out);
	out_holds(64, 1);
	*answer = 1;
	return true;
}

static bool beside()
{
	waits<<<2, 32, 0, apart>>>(answer, out);
	adds<<<1, 32, 0, own>>>(word);
	cudaStreamSynchronize(own);
	*answer = 1;
	return true;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		bool (*does)();
	} all[] = {
		{ "plain", plain }, { "queue", queue }, { "copy", copy },
		{ "ask", ask }, { "threads", threads }, { "atomic", atomic },
		{ "symbol", symbol }, { "query", query }, { "again", again },
		{ "endless", endless }, { "copied", copied },
		{ "beside", beside },
	};

	cudaMallocManaged(&flag, sizeof(int));
	cudaHostAlloc(&answer, sizeof(int), cudaHostAllocMapped);
	cudaHostAlloc(&pinned, 256, 0);
	cudaMalloc(&out, 256);
	cudaMalloc(&word, 256);
	cudaMemset(out, 0, 256);
	cudaMemset(word, 0, 256);
	cudaStreamCreate(&own);
	cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
	cudaEventCreate(&event);
	cudaDeviceSynchronize();
	*flag = *answer = 0;
	for (auto &a : all)
		if (argc > 1 && !strcmp(a.name, argv[1]))
			puts(a.does() ? "PASS" : "FAIL");
	cudaFree(flag);
	cudaFreeHost(answer);
	cudaFreeHost(pinned);
	cudaFree(out);
	cudaFree(word);
	return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
