// Loops that take long, or read the same again and again, and have an end;
// and such as have none.
#include <cstdio>
#include <cstdlib>

#if __cplusplus < 201703L
#define REGISTER register
#else
#define REGISTER
#endif

// More rounds than any limit of time allows.
__global__ void slow(unsigned *to)
{
    unsigned long long i = 1, sum = 0;

    for (; i < 1ull << 60; i++)
        sum ^= i;
    to[threadIdx.x] = (unsigned)sum;
}

// The same with the counter in a register.
__global__ void registered(unsigned *to)
{
    REGISTER unsigned long long i = 1;

    for (; i < 1ull << 60; i++)
        ;
    to[threadIdx.x] = 1;
}

__noinline__ __device__ bool more(unsigned *counter)
{
    return ++*counter < 1u << 31;
}

// The same with the counter in memory.
__global__ void remembered(unsigned *to)
{
    while (more(to + threadIdx.x))
        ;
}

// One thread of many does it all.
__global__ void alone(unsigned *to, unsigned n)
{
    if (threadIdx.x == 5)
        for (unsigned i = 0; i < n; i++)
            to[0] += i;
}

// Reads what nobody changes, as often as a benchmark would.
__global__ void same(volatile unsigned *from, unsigned *to)
{
    unsigned sum = 0;

    for (int i = 0; i < 3000; i++)
        sum += from[0];
    for (int i = 0; i < 3000; i++)
        atomicMax(to + 1, 7u);
    atomicAdd(to, sum);
}

// A flag in shared memory, as old programs have it.
__global__ void flagged(unsigned *to)
{
    __shared__ volatile unsigned flag;

    if (threadIdx.x == 40)
        flag = 0;
    __syncthreads();
    if (threadIdx.x < 32)
        while (flag == 0)
            ;
    else
        flag = threadIdx.x;
    to[threadIdx.x] = 1;
}

// Forgets to go on.
__global__ void forgotten(const unsigned *from, unsigned *to, unsigned n)
{
    unsigned i = threadIdx.x;

    while (i < n)
        to[i] = from[i] + 1;
}

// Waits for a flag that nobody sets, while others have long loops.
__global__ void waits(volatile unsigned *flag, unsigned *to)
{
    if (threadIdx.x == 0)
        while (*flag == 0)
            ;
    else if (threadIdx.x == 1)
        for (int i = 0; i < 5000; i++)
            to[1] += flag[1];
}

int main(int argc, char **argv)
{
    unsigned *memory, got[64] = { 0 };
    int which = atoi(argv[1]);

    cudaMalloc(&memory, 64 * sizeof(unsigned));
    cudaMemset(memory, 0, 64 * sizeof(unsigned));
    switch (which) {
    case 0:
        slow<<<1, 32>>>(memory);
        break;
    case 1:
        registered<<<1, 32>>>(memory);
        break;
    case 2:
        alone<<<1, 64>>>(memory, 1500000);
        break;
    case 3:
        cudaMemset(memory + 32, 1, sizeof(unsigned));
        same<<<2, 64>>>(memory + 32, memory);
        break;
    case 4:
        flagged<<<1, 64>>>(memory);
        break;
    case 5:
        forgotten<<<1, 64>>>(memory + 32, memory, 32);
        break;
    case 6:
        waits<<<1, 64>>>(memory + 32, memory);
        break;
    case 7:
        remembered<<<1, 32>>>(memory);
        break;
    }
    if (cudaDeviceSynchronize() != cudaSuccess)
        printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaMemcpy(got, memory, sizeof(got), cudaMemcpyDeviceToHost);
    cudaFree(memory);
    printf("%u %u %u\n", got[0], got[1], got[63]);
    return 0;
}
