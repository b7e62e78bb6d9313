// Asynchronous copies: commit, wait, and who may read what they bring.
#include "judged.h"
#include <cuda_pipeline.h>
#define T 8
#define PRODUCT const float *A, const float *B, float *C, int M, int N, int K
#define PLACE \
    int x = threadIdx.x, y = threadIdx.y; \
    int row = blockIdx.y * T + y, col = blockIdx.x * T + x; \
    float sum = 0
#define LOAD(stage, t) \
    __pipeline_memcpy_async(&a[stage][y][x], &A[row * K + (t) * T + x], 4); \
    __pipeline_memcpy_async(&b[stage][y][x], &B[((t) * T + y) * N + col], 4); \
    __pipeline_commit()
#define MULTIPLY(stage) \
    for (int k = 0; k < T; k++) sum += a[stage][y][k] * b[stage][k][x]

__global__ void wait_then_barrier(PRODUCT)
{
    __shared__ float a[1][T][T], b[1][T][T];
    PLACE;
    for (int t = 0; t < K / T; t++) {
        LOAD(0, t);
        __pipeline_wait_prior(0);
        __syncthreads();
        MULTIPLY(0);
        __syncthreads();
    }
    C[row * N + col] = sum;
}
// Each thread waits for its own copies: not for those of others.
__global__ void barrier_then_wait(PRODUCT)
{
    __shared__ float a[1][T][T], b[1][T][T];
    PLACE;
    for (int t = 0; t < K / T; t++) {
        LOAD(0, t);
        __syncthreads();
        __pipeline_wait_prior(0);
        MULTIPLY(0);
        __syncthreads();
    }
    C[row * N + col] = sum;
}
// The next copies are under way while these are used.
__global__ void two_stages(PRODUCT)
{
    __shared__ float a[2][T][T], b[2][T][T];
    PLACE;
    LOAD(0, 0);
    for (int t = 0; t < K / T; t++) {
        if (t + 1 < K / T) {
            LOAD((t + 1) % 2, t + 1);
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
        MULTIPLY(t % 2);
        __syncthreads();
    }
    C[row * N + col] = sum;
}
// In the last step one group is left, and it waits for all but one.
__global__ void last_group_not_awaited(PRODUCT)
{
    __shared__ float a[2][T][T], b[2][T][T];
    PLACE;
    LOAD(0, 0);
    for (int t = 0; t < K / T; t++) {
        if (t + 1 < K / T) {
            LOAD((t + 1) % 2, t + 1);
        }
        __pipeline_wait_prior(1);
        __syncthreads();
        MULTIPLY(t % 2);
        __syncthreads();
    }
    C[row * N + col] = sum;
}
// An empty group in the last step: all but one is enough then.
__global__ void empty_last_group(PRODUCT)
{
    __shared__ float a[2][T][T], b[2][T][T];
    PLACE;
    LOAD(0, 0);
    for (int t = 0; t < K / T; t++) {
        if (t + 1 < K / T) {
            LOAD((t + 1) % 2, t + 1);
        } else {
            __pipeline_commit();
        }
        __pipeline_wait_prior(1);
        __syncthreads();
        MULTIPLY(t % 2);
        __syncthreads();
    }
    C[row * N + col] = sum;
}
// Copies start into the stage that others still read.
__global__ void two_stages_one_barrier_short(PRODUCT)
{
    __shared__ float a[2][T][T], b[2][T][T];
    PLACE;
    LOAD(0, 0);
    for (int t = 0; t < K / T; t++) {
        if (t + 1 < K / T) {
            LOAD((t + 1) % 2, t + 1);
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
        MULTIPLY(t % 2);
    }
    C[row * N + col] = sum;
}
// Three stages: the barrier of one step protects the stage of the next.
__global__ void three_stages_one_barrier(PRODUCT)
{
    __shared__ float a[3][T][T], b[3][T][T];
    PLACE;
    LOAD(0, 0);
    for (int t = 0; t < K / T; t++) {
        if (t + 1 < K / T) {
            LOAD((t + 1) % 3, t + 1);
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
        MULTIPLY(t % 3);
    }
    C[row * N + col] = sum;
}
// What is not committed is in no group that is awaited.
__global__ void never_committed(PRODUCT)
{
    __shared__ float a[1][T][T], b[1][T][T];
    PLACE;
    for (int t = 0; t < K / T; t++) {
        __pipeline_memcpy_async(&a[0][y][x], &A[row * K + t * T + x], 4);
        b[0][y][x] = B[(t * T + y) * N + col];
        __pipeline_wait_prior(0);
        __syncthreads();
        MULTIPLY(0);
        __syncthreads();
    }
    C[row * N + col] = sum;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const int M = 32, N = 32, K = 32;
    float *A = filled_array<float>(M * K, 1), *B = filled_array<float>(K * N, 2);
    float *C = unset_array<float>(M * N);
    dim3 grid(N / T, M / T), block(T, T);
    RUN(wait_then_barrier, grid, block, A, B, C, M, N, K);
    RUN(barrier_then_wait, grid, block, A, B, C, M, N, K);
    RUN(two_stages, grid, block, A, B, C, M, N, K);
    RUN(last_group_not_awaited, grid, block, A, B, C, M, N, K);
    RUN(empty_last_group, grid, block, A, B, C, M, N, K);
    RUN(two_stages_one_barrier_short, grid, block, A, B, C, M, N, K);
    RUN(three_stages_one_barrier, grid, block, A, B, C, M, N, K);
    RUN(never_committed, grid, block, A, B, C, M, N, K);
    return end_program(A, B, C);
}
