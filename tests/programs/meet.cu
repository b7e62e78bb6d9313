// Blocks that wait for each other: at grid.sync(), and for what others write.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
namespace cg = cooperative_groups;

static int wrong;

#define SAME(got, want) same(got, want, __LINE__)
static void same(long got, long want, int line)
{
    if (got != want && ++wrong < 10)
        printf("line %d: %ld, not %ld\n", line, got, want);
}

// Each round adds the sum of all blocks' numbers. What a block has in shared
// memory, and a thread on its stack, is its own all the time.
__global__ void rounds(int *sums, int *to, int count)
{
    cg::grid_group grid = cg::this_grid();
    __shared__ int own[64];
    int kept[4], *at = &kept[blockIdx.x % 4];

    own[threadIdx.x] = blockIdx.x + 1;
    *at = threadIdx.x;
    for (int r = 0; r < count; r++) {
        __syncthreads();
        if (threadIdx.x == 0) {
            int sum = 0;
            for (int i = 0; i < blockDim.x; i++)
                sum += own[i];
            sums[blockIdx.x] = sum;
        }
#ifndef UNMET
        grid.sync();
#endif
        int all = 0;
        for (int i = 0; i < gridDim.x; i++)
            all += sums[i];
        own[threadIdx.x] = all % 1000 + blockIdx.x;
        *at += all % 7;
        cg::sync(grid);
    }
    to[grid.thread_rank()] = *at + own[threadIdx.x] * 100;
}

static void rounds_check(int blocks, int threads, int count)
{
    int *sums, *to, n = blocks * threads, sum[2048];
    int *got = (int *)malloc(n * sizeof(int));
    void *arguments[] = { &sums, &to, &count };
    long own[2048], at[64] = { 0 };

    cudaMalloc(&sums, blocks * sizeof(int));
    cudaMalloc(&to, n * sizeof(int));
    cudaLaunchCooperativeKernel((void *)rounds, dim3(blocks), dim3(threads),
                                arguments, 0, 0);
    SAME(cudaGetLastError(), cudaSuccess);
    cudaMemcpy(got, to, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int b = 0; b < blocks; b++)
        own[b] = b + 1;
    for (int r = 0; r < count; r++) {
        int all = 0;
        for (int b = 0; b < blocks; b++)
            all += sum[b] = own[b] * threads;
        for (int b = 0; b < blocks; b++)
            own[b] = all % 1000 + b;
        at[0] += all % 7;
    }
    for (int i = 0; i < n; i++)
        SAME(got[i], at[0] + i % threads + own[i / threads] * 100);
    cudaFree(sums);
    cudaFree(to);
    free(got);
}

// As many blocks as there are at once, of the most threads.
__global__ void full(unsigned long long *sums, int *to)
{
    cg::grid_group grid = cg::this_grid();
    unsigned long long all = 0;

    if (threadIdx.x == 0)
        sums[blockIdx.x] = blockIdx.x;
    grid.sync();
    for (int i = 0; i < 8; i++)
        all += sums[(blockIdx.x + i) % gridDim.x];
    to[grid.thread_rank()] = (int)all;
}

static void full_check()
{
    unsigned long long *sums;
    int *to, *got, each, device = 0, sms;

    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, full, 1024, 0);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    int blocks = each * sms, n = blocks * 1024;
    cudaMalloc(&sums, blocks * sizeof(*sums));
    cudaMalloc(&to, n * sizeof(int));
    got = (int *)malloc(n * sizeof(int));
    void *arguments[] = { &sums, &to };
    SAME(cudaLaunchCooperativeKernel((void *)full, blocks + 1, 1024, arguments),
         cudaErrorCooperativeLaunchTooLarge);
    cudaGetLastError();
    cudaLaunchCooperativeKernel((void *)full, blocks, 1024, arguments);
    cudaMemcpy(got, to, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        int want = 0;
        for (int k = 0; k < 8; k++)
            want += (i / 1024 + k) % blocks;
        SAME(got[i], want);
    }
    cudaFree(sums);
    cudaFree(to);
    free(got);
}

// Each block hands over to the one before it; the last begins.
__global__ void chain(int *values, int *ready)
{
    __shared__ int got;
    int next = blockIdx.x + 1;

    if (threadIdx.x == 0) {
        if (next < gridDim.x) {
            while (atomicAdd(&ready[next], 0) == 0)
                ;
            __threadfence();
        }
        got = next < gridDim.x ? values[next] : 0;
    }
    __syncthreads();
    if (threadIdx.x == 1)
        values[blockIdx.x] = got + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicExch(&ready[blockIdx.x], 1);
    }
}

// A grid's barrier of its own.
__device__ volatile int come;
__global__ void counted(int *a, int *b)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd((int *)&come, 1);
        while (come < gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
    int other = (blockIdx.x + 1) % gridDim.x;
    b[blockIdx.x * blockDim.x + threadIdx.x] =
        a[other * blockDim.x + threadIdx.x];
}

static void waits_check()
{
    int *a, *b, got[20 * 32];

    cudaMalloc(&a, sizeof(got));
    cudaMalloc(&b, sizeof(got));
    cudaMemset(a, 0, sizeof(got));
    cudaMemset(b, 0, sizeof(got));
    chain<<<20, 32>>>(a, b);
    cudaMemcpy(got, a, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 20; i++)
        SAME(got[i], 20 - i);
    counted<<<20, 32>>>(a, b);
    cudaMemcpy(got, b, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 20 * 32; i++)
        SAME(got[i], (i / 32 + 1) % 20);
    cudaFree(a);
    cudaFree(b);
}

__global__ void leaves(int *to)
{
    if (blockIdx.x == 2)
        return;
    if (threadIdx.x == 0)
        to[blockIdx.x] = 1;
    cg::this_grid().sync();
}

__global__ void lost(int *flag, int *to)
{
    if (blockIdx.x == 1 && threadIdx.x == 0)
        while (atomicAdd(flag, 0) == 0)
            ;
    if (threadIdx.x == 0)
        to[blockIdx.x] = 1;
}

int main(int argc, char **argv)
{
    int *to;
    void *arguments[] = { &to };

    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 0:
        rounds_check(1, 64, 2);
        rounds_check(40, 64, 3);
        rounds_check(300, 33, 2);
        full_check();
        waits_check();
        break;
    case 1:
        rounds_check(4, 64, 1);
        break;
    case 2:
        cudaMalloc(&to, 1024);
        leaves<<<8, 32>>>(to);
        wrong = cudaDeviceSynchronize();
        cudaFree(to);
        break;
    case 3:
        cudaMalloc(&to, 1024);
        cudaLaunchCooperativeKernel(leaves, 8, 32, arguments);
        wrong = cudaDeviceSynchronize();
        cudaFree(to);
        break;
    case 4:
        cudaMalloc(&to, 4096);
        cudaMemset(to, 0, 4096);
        lost<<<8, 32>>>(to, to + 512);
        wrong = cudaDeviceSynchronize();
        cudaFree(to);
        break;
    }
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
