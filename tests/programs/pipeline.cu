// cuda::pipeline of a block: producers fill stages, consumers empty them.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/pipeline>

#define STAGES 2
#define TILES 5
#ifndef PRODUCERS
#define PRODUCERS 32
#endif

typedef cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state_t;

// A warp brings tiles of 32 numbers, the others add them up, backwards.
__device__ void tiles(cuda::pipeline<cuda::thread_scope_block> &pipe,
                      const int *from, int *to, bool produces)
{
    __shared__ int tile[STAGES][32];
    int t = threadIdx.x % 32, sum = 0;

    for (int i = 0; i < TILES; i++)
        if (produces) {
#ifndef NO_ACQUIRE
            pipe.producer_acquire();
#endif
            cuda::memcpy_async(&tile[i % STAGES][t], &from[32 * i + t],
                               sizeof(int), pipe);
            pipe.producer_commit();
        } else {
#ifndef NO_WAIT
            pipe.consumer_wait();
#endif
            sum += tile[i % STAGES][31 - t];
            pipe.consumer_release();
        }
    if (!produces)
        to[threadIdx.x] = sum;
}

__global__ void by_role(const int *from, int *to)
{
    __shared__ state_t state;
    auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer
                                 : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(),
                                    &state, role);

    tiles(pipe, from, to, role == cuda::pipeline_role::producer);
}

__global__ void by_count(const int *from, int *to)
{
    __shared__ state_t state;
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(),
                                    &state, PRODUCERS);

    tiles(pipe, from, to, threadIdx.x < 32);
}

// All threads are both; the block copies together.
__global__ void unified(const int *from, int *to)
{
    auto block = cooperative_groups::this_thread_block();
    __shared__ state_t state;
    __shared__ alignas(16) int tile[STAGES][64];
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;

    for (int done = 0, begun = 0; done < 2; done++) {
        for (; begun < 2 && begun < done + STAGES; begun++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[begun % STAGES], from + 64 * begun,
                               cuda::aligned_size_t<16>(sizeof(tile[0])), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += tile[done % STAGES][63 - threadIdx.x];
        pipe.consumer_release();
    }
    to[threadIdx.x] = sum;
    if (pipe.quit())
        to[64] = 1;
}

int main()
{
    int *x, *y, wrong = 0;

    cudaMallocManaged(&x, 160 * sizeof(int));
    cudaMallocManaged(&y, 300 * sizeof(int));
    for (int i = 0; i < 160; i++)
        x[i] = i * i;
    by_role<<<1, 96>>>(x, y);
    by_count<<<1, 96>>>(x, y + 100);
    unified<<<1, 64>>>(x, y + 200);
    cudaDeviceSynchronize();
    for (int t = 32; t < 96; t++) {
        int sum = 0;
        for (int i = 0; i < TILES; i++)
            sum += x[32 * i + 31 - t % 32];
        wrong += (y[t] != sum) + (y[100 + t] != sum);
    }
    for (int t = 0; t < 64; t++)
        wrong += y[200 + t] != x[63 - t] + x[127 - t];
    puts(wrong || y[264] != 1 ? "FAIL" : "PASS");
    cudaFree(x);
    cudaFree(y);
    return wrong;
}
