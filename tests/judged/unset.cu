// Variables and arrays that something, or nothing, has given a value.
#include "judged.h"
#define PRODUCT const float *A, const float *B, float *C, int M, int N, int K
#define PLACE \
    int row = blockIdx.y * blockDim.y + threadIdx.y; \
    int col = blockIdx.x * blockDim.x + threadIdx.x

// The first round gives the sum its value.
__global__ void sum_set_in_first_round(PRODUCT)
{
    PLACE;
    float sum;
    for (int k = 0; k < K; k++) {
        float p = A[row * K + k] * B[k * N + col];
        sum = k == 0 ? p : sum + p;
    }
    C[row * N + col] = sum;
}
__global__ void sum_never_set(PRODUCT)
{
    PLACE;
    float sum;
    for (int k = 0; k < K; k++)
        sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
// Used only where it was set.
__global__ void set_and_used_under_one_condition(PRODUCT)
{
    PLACE;
    float half, sum = 0;
    for (int k = 0; k < K; k++) {
        if (k % 2 == 0) half = A[row * K + k] * B[k * N + col];
        if (k % 2 == 1) sum += half + A[row * K + k] * B[k * N + col];
    }
    C[row * N + col] = sum;
}
__global__ void set_in_one_branch(PRODUCT)
{
    PLACE;
    float sum;
    if (col < N / 2)
        sum = 0;
    for (int k = 0; k < K; k++)
        sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
// Three of four sums are cleared.
__global__ void one_sum_forgotten(PRODUCT)
{
    int row = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum[4];
    if (row >= M) return;
    for (int r = 1; r < 4; r++)
        sum[r] = 0;
    for (int k = 0; k < K; k++)
        for (int r = 0; r < 4; r++)
            sum[r] += A[(row + r) * K + k] * B[k * N + col];
    for (int r = 0; r < 4; r++) C[(row + r) * N + col] = sum[r];
}
// Cleared from the last one down.
__global__ void sums_cleared_backwards(PRODUCT)
{
    int row = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum[4];
    if (row >= M) return;
    for (int r = 4; r-- > 0;)
        sum[r] = 0;
    for (int k = 0; k < K; k++)
        for (int r = 0; r < 4; r++)
            sum[r] += A[(row + r) * K + k] * B[k * N + col];
    for (int r = 0; r < 4; r++) C[(row + r) * N + col] = sum[r];
}
// The sum is kept in C, which nothing has cleared.
__global__ void adds_to_unset_output(PRODUCT)
{
    PLACE;
    for (int k = 0; k < K; k++)
        C[row * N + col] += A[row * K + k] * B[k * N + col];
}
__global__ void adds_to_output_it_clears(PRODUCT)
{
    PLACE;
    C[row * N + col] = 0;
    for (int k = 0; k < K; k++)
        C[row * N + col] += A[row * K + k] * B[k * N + col];
}
// Of 9 columns 8 are stored, and 8 are read.
__global__ void padding_is_not_read(PRODUCT)
{
    __shared__ float a[8][9];
    PLACE;
    float sum = 0;
    for (int t = 0; t < K; t += 8) {
        a[threadIdx.y][threadIdx.x] = A[row * K + t + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 8; k++) sum += a[threadIdx.y][k] * B[(t + k) * N + col];
        __syncthreads();
    }
    C[row * N + col] = sum;
}
// All 9 are read, the last one times 0.
__global__ void padding_times_zero(PRODUCT)
{
    __shared__ float a[8][9];
    PLACE;
    float sum = 0;
    for (int t = 0; t < K; t += 8) {
        a[threadIdx.y][threadIdx.x] = A[row * K + t + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 9; k++)
            sum += a[threadIdx.y][k] * (k < 8 ? B[(t + k) * N + col] : 0);
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
    dim3 grid(N / 8, M / 8), block(8, 8);
    RUN(sum_set_in_first_round, grid, block, A, B, C, M, N, K);
    RUN(sum_never_set, grid, block, A, B, C, M, N, K);
    RUN(set_and_used_under_one_condition, grid, block, A, B, C, M, N, K);
    RUN(set_in_one_branch, grid, block, A, B, C, M, N, K);
    RUN(one_sum_forgotten, grid, block, A, B, C, M, N, K);
    RUN(sums_cleared_backwards, grid, block, A, B, C, M, N, K);
    RUN(adds_to_unset_output, grid, block, A, B, C, M, N, K);
    RUN(adds_to_output_it_clears, grid, block, A, B, C, M, N, K);
    RUN(padding_is_not_read, grid, block, A, B, C, M, N, K);
    RUN(padding_times_zero, grid, block, A, B, C, M, N, K);
    return end_program(A, B, C);
}
