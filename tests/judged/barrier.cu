// Barriers that are missing, are not needed, or are not reached by all.
#include "judged.h"
#define T 8
#define PRODUCT const float *A, const float *B, float *C, int M, int N, int K
#define PLACE \
    int x = threadIdx.x, y = threadIdx.y; \
    int row = blockIdx.y * T + y, col = blockIdx.x * T + x; \
    float sum = 0

// Two buffers: the barrier of one step orders the reads of the step before.
__global__ void one_barrier_two_buffers(PRODUCT)
{
    __shared__ float a[2][T][T], b[2][T][T];
    PLACE;
    for (int t = 0; t < K / T; t++) {
        int now = t % 2;
        a[now][y][x] = A[row * K + t * T + x];
        b[now][y][x] = B[(t * T + y) * N + col];
        __syncthreads();
        for (int k = 0; k < T; k++) sum += a[now][y][k] * b[now][k][x];
    }
    C[row * N + col] = sum;
}
// The buffer is chosen by half of the step: two steps share one.
__global__ void two_buffers_one_used(PRODUCT)
{
    __shared__ float a[2][T][T], b[2][T][T];
    PLACE;
    for (int t = 0; t < K / T; t++) {
        int now = t / 2 % 2;
        a[now][y][x] = A[row * K + t * T + x];
        b[now][y][x] = B[(t * T + y) * N + col];
        __syncthreads();
        for (int k = 0; k < T; k++) sum += a[now][y][k] * b[now][k][x];
    }
    C[row * N + col] = sum;
}
// Each thread reads only what it has stored: nothing needs a barrier.
__global__ void own_elements_only(PRODUCT)
{
    __shared__ float a[T][T];
    PLACE;
    for (int k = 0; k < K; k++) {
        a[y][x] = A[row * K + k];
        sum += a[y][x] * B[k * N + col];
    }
    C[row * N + col] = sum;
}
__global__ void missing_second(PRODUCT)
{
    __shared__ float a[T][T], b[T][T];
    PLACE;
    for (int t = 0; t < K; t += T) {
        a[y][x] = A[row * K + t + x];
        b[y][x] = B[(t + y) * N + col];
        __syncthreads();
        for (int k = 0; k < T; k++) sum += a[y][k] * b[k][x];
    }
    C[row * N + col] = sum;
}
// The barrier stands first: it ends the step before, but does not begin this one.
__global__ void barrier_before_store(PRODUCT)
{
    __shared__ float a[T][T], b[T][T];
    PLACE;
    for (int t = 0; t < K; t += T) {
        __syncthreads();
        a[y][x] = A[row * K + t + x];
        b[y][x] = B[(t + y) * N + col];
        for (int k = 0; k < T; k++) sum += a[y][k] * b[k][x];
    }
    C[row * N + col] = sum;
}
// First in the loop and again after the stores: enough.
__global__ void barrier_first(PRODUCT)
{
    __shared__ float a[T][T], b[T][T];
    PLACE;
    for (int t = 0; t < K; t += T) {
        __syncthreads();
        a[y][x] = A[row * K + t + x];
        b[y][x] = B[(t + y) * N + col];
        __syncthreads();
        for (int k = 0; k < T; k++) sum += a[y][k] * b[k][x];
    }
    C[row * N + col] = sum;
}
// Warps order their lanes alone; the block has two.
__global__ void syncwarp_for_block(PRODUCT)
{
    __shared__ float a[T][T], b[T][T];
    PLACE;
    for (int t = 0; t < K; t += T) {
        a[y][x] = A[row * K + t + x];
        b[y][x] = B[(t + y) * N + col];
        __syncwarp();
        for (int k = 0; k < T; k++) sum += a[y][k] * b[k][x];
        __syncwarp();
    }
    C[row * N + col] = sum;
}
// Each warp has a tile of its own: its lanes are all that must be ordered.
__global__ void syncwarp_for_warp(PRODUCT)
{
    __shared__ float a[2][4][T];
    PLACE;
    int warp = y / 4;
    for (int t = 0; t < K; t += T) {
        a[warp][y % 4][x] = A[row * K + t + x];
        __syncwarp();
        for (int k = 0; k < T; k++) sum += a[warp][y % 4][k] * B[(t + k) * N + col];
        __syncwarp();
    }
    C[row * N + col] = sum;
}
// In a branch, but of a condition that is the same for all of a block.
__global__ void barrier_in_uniform_branch(PRODUCT)
{
    __shared__ float a[T][T];
    PLACE;
    for (int t = 0; t < K; t += T) {
        if (blockIdx.x % 2 == 0) {
            a[y][x] = A[row * K + t + x];
            __syncthreads();
            for (int k = 0; k < T; k++) sum += a[y][k] * B[(t + k) * N + col];
            __syncthreads();
        } else {
            for (int k = 0; k < T; k++) sum += A[row * K + t + k] * B[(t + k) * N + col];
        }
    }
    C[row * N + col] = sum;
}
__global__ void barrier_in_divergent_branch(PRODUCT)
{
    __shared__ float a[T][T];
    PLACE;
    for (int t = 0; t < K; t += T) {
        if (y < 6) {
            a[y][x] = A[row * K + t + x];
            __syncthreads();
        } else {
            a[y][x] = A[row * K + t + x];
        }
        __syncthreads();
        for (int k = 0; k < T; k++) sum += a[y][k] * B[(t + k) * N + col];
        __syncthreads();
    }
    C[row * N + col] = sum;
}
// The number of rounds depends on the thread.
__global__ void barriers_by_thread(PRODUCT)
{
    __shared__ float a[T][T];
    PLACE;
    for (int t = 0; t < K + (y == 7 ? T : 0); t += T) {
        a[y][x] = t < K ? A[row * K + t + x] : 0;
        __syncthreads();
        for (int k = 0; t < K && k < T; k++) sum += a[y][k] * B[(t + k) * N + col];
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
    RUN(one_barrier_two_buffers, grid, block, A, B, C, M, N, K);
    RUN(two_buffers_one_used, grid, block, A, B, C, M, N, K);
    RUN(own_elements_only, grid, block, A, B, C, M, N, K);
    RUN(missing_second, grid, block, A, B, C, M, N, K);
    RUN(barrier_before_store, grid, block, A, B, C, M, N, K);
    RUN(barrier_first, grid, block, A, B, C, M, N, K);
    RUN(syncwarp_for_block, grid, block, A, B, C, M, N, K);
    RUN(syncwarp_for_warp, grid, block, A, B, C, M, N, K);
    RUN(barrier_in_uniform_branch, grid, block, A, B, C, M, N, K);
    RUN(barrier_in_divergent_branch, grid, block, A, B, C, M, N, K);
    RUN(barriers_by_thread, grid, block, A, B, C, M, N, K);
    return end_program(A, B, C);
}
