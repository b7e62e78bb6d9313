// Indices, strides and the order of x and y.
#include "judged.h"
#define PRODUCT const float *A, const float *B, float *C, int M, int N, int K

// The grid and the kernel both have rows along x.
__global__ void rows_along_x(PRODUCT)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    if (row >= M || col >= N) return;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
// The kernel has, the grid has not.
__global__ void rows_along_x_not_in_grid(PRODUCT)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    if (row >= M || col >= N) return;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
__global__ void stride_of_b_is_k(PRODUCT)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (row >= M || col >= N) return;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * K + col];
    C[row * N + col] = sum;
}
// One index for rows and columns, by / and %.
__global__ void by_division(PRODUCT)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < M * N; i += gridDim.x * blockDim.x) {
        float sum = 0;
        for (int k = 0; k < K; k++) sum += A[i / N * K + k] * B[k * N + i % N];
        C[i] = sum;
    }
}
__global__ void by_division_by_rows(PRODUCT)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < M * N; i += gridDim.x * blockDim.x) {
        float sum = 0;
        for (int k = 0; k < K; k++) sum += A[i / M * K + k] * B[k * N + i % M];
        C[i] = sum;
    }
}
// From the last row up, and from the last k down.
__global__ void backwards(PRODUCT)
{
    int row = M - 1 - (int)(blockIdx.y * blockDim.y + threadIdx.y);
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (row < 0 || col >= N) return;
    for (int k = K; k-- > 0;) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
__global__ void last_k_left_out(PRODUCT)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (row >= M || col >= N) return;
    for (int k = K - 1; k > 0; k--) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
// The pointers go, not the index.
__global__ void pointers_that_go(PRODUCT)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (row >= M || col >= N) return;
    A += row * K;
    B += col;
    for (int k = 0; k < K; k++, B += N) sum += *A++ * *B;
    C[row * N + col] = sum;
}
// Rows of C are stored in the place of columns.
__global__ void stored_transposed(PRODUCT)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (row >= M || col >= N) return;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + col];
    C[(row * N + col) % M * N + (row * N + col) / M] = sum;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const int M = 24, N = 40, K = 32;
    float *A = filled_array<float>(M * K, 1), *B = filled_array<float>(K * (N > K ? N : K), 2);
    float *C = unset_array<float>(M * N);
    dim3 grid((N + 7) / 8, (M + 7) / 8), turned((M + 7) / 8, (N + 7) / 8), block(8, 8);
    RUN(rows_along_x, turned, block, A, B, C, M, N, K);
    RUN(rows_along_x_not_in_grid, grid, block, A, B, C, M, N, K);
    RUN(stride_of_b_is_k, grid, block, A, B, C, M, N, K);
    RUN(by_division, 4, 64, A, B, C, M, N, K);
    RUN(by_division_by_rows, 4, 64, A, B, C, M, N, K);
    RUN(backwards, grid, block, A, B, C, M, N, K);
    RUN(last_k_left_out, grid, block, A, B, C, M, N, K);
    RUN(pointers_that_go, grid, block, A, B, C, M, N, K);
    RUN(stored_transposed, grid, block, A, B, C, M, N, K);
    return end_program(A, B, C);
}
