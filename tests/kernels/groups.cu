// groups: cooperative groups and pipelines, each in a product of its own.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

// Eight lanes for an element: sums by shuffles, or by reduce().
__global__ void lanes(const float *A, const float *B, float *C, int M, int N,
                      int K)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    int n = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
    float sum = 0;

    if (n >= M * N)
        return;
    for (int k = tile.thread_rank(); k < K; k += tile.size())
        sum += A[n / N * K + k] * B[k * N + n % N];
#ifdef REDUCE
    sum = cg::reduce(tile, sum, cg::plus<float>());
#else
    sum += tile.shfl_xor(sum, 4);
    sum += tile.shfl_down(sum, 2);
    sum += tile.shfl_down(sum, 1);
#endif
    if (tile.thread_rank() == 0)
        C[n] = sum;
}

// The block copies rows of 16 together.
__global__ void copies(const float *A, const float *B, float *C, int M, int N,
                       int K)
{
    __shared__ alignas(16) float a[16][16];
    __shared__ alignas(16) float b[16][16];
    auto block = cg::this_thread_block();
    int row = block.group_index().y * 16 + block.thread_index().y;
    int col = block.group_index().x * 16 + threadIdx.x;
    float sum = 0;

    for (int k = 0; k < K; k += 16) {
        for (int r = 0; r < 16; r++) {
            cg::memcpy_async(block, a[r],
                             &A[(blockIdx.y * 16 + r) * K + k], 64);
            cg::memcpy_async(block, b[r],
                             &B[(k + r) * N + blockIdx.x * 16], 64);
        }
#ifndef NO_WAIT
        cg::wait(block);
#endif
        for (int i = 0; i < 16; i++)
            sum += a[threadIdx.y][i] * b[i][threadIdx.x];
        block.sync();
    }
    C[row * N + col] = sum;
}

// Two stages, copied by a lambda that takes its arrays by reference.
__global__ void stages(const float *A, const float *B, float *C, int M, int N,
                       int K)
{
    __shared__ float a[2][16][16], b[2][16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    auto fetch = [&](int stage, int k) {
        pipe.producer_acquire();
        cuda::memcpy_async(&a[stage][y][x], &A[row * K + k + x],
                           sizeof(float), pipe);
        cuda::memcpy_async(&b[stage][y][x], &B[(k + y) * N + col],
                           cuda::aligned_size_t<4>(4), pipe);
        pipe.producer_commit();
    };
    float sum = 0;

    fetch(0, 0);
    for (int k = 0, stage = 0; k < K; k += 16, stage ^= 1) {
        if (k + 16 < K)
            fetch(stage ^ 1, k + 16);
        pipe.consumer_wait();
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += a[stage][y][i] * b[stage][i][x];
        pipe.consumer_release();
        __syncthreads();
    }
    C[row * N + col] = sum;
}

// Structures and arrays of pointers; bytes in fours.
struct where { const float *a, *b; float *c; };

__global__ void pointers(const float *A, const float *B, float *C, int M,
                         int N, int K)
{
    where w = { A + blockIdx.y * 16 * K, B + blockIdx.x * 16, C };
    const float *from[2] = { w.a + threadIdx.y * K, w.b + threadIdx.x };
    unsigned int four = 0x04030201;
    float sum = __dp4a(four, four, 12u) - 42.0f;
    size_t limit = K;

    for (size_t k = 0; k < min(limit, (size_t)M * K); k++)
        sum += *from[0]++ * from[1][k * N];
    assert(sum < LIMIT);
    w.c[(blockIdx.y * 16 + threadIdx.y) * N + blockIdx.x * 16 +
        threadIdx.x] = sum;
}
