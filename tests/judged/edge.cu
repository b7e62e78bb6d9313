// Tiles that hang over the ends of the matrices.
#include "judged.h"
#define T 8
#define PRODUCT const float *A, const float *B, float *C, int M, int N, int K
#define PLACE \
    __shared__ float a[T][T], b[T][T]; \
    int x = threadIdx.x, y = threadIdx.y; \
    int row = blockIdx.y * T + y, col = blockIdx.x * T + x; \
    float sum = 0
#define MULTIPLY \
    __syncthreads(); \
    for (int k = 0; k < T; k++) sum += a[y][k] * b[k][x]; \
    __syncthreads()

__global__ void zeros_outside(PRODUCT)
{
    PLACE;
    for (int t = 0; t < K; t += T) {
        a[y][x] = row < M && t + x < K ? A[row * K + t + x] : 0;
        b[y][x] = t + y < K && col < N ? B[(t + y) * N + col] : 0;
        MULTIPLY;
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
// Outside, an element within is loaded and counts as 0.
__global__ void clamped_and_masked(PRODUCT)
{
    PLACE;
    for (int t = 0; t < K; t += T) {
        a[y][x] = A[min(row, M - 1) * K + min(t + x, K - 1)] * (t + x < K);
        b[y][x] = B[min(t + y, K - 1) * N + min(col, N - 1)];
        MULTIPLY;
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
// As before, without the mask: the last column of A counts several times.
__global__ void clamped_only(PRODUCT)
{
    PLACE;
    for (int t = 0; t < K; t += T) {
        a[y][x] = A[min(row, M - 1) * K + min(t + x, K - 1)];
        b[y][x] = B[min(t + y, K - 1) * N + min(col, N - 1)];
        MULTIPLY;
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
// Where it loads nothing it stores nothing: the step before is used again.
__global__ void stale_edge(PRODUCT)
{
    PLACE;
    a[y][x] = b[y][x] = 0;
    for (int t = 0; t < K; t += T) {
        if (row < M && t + x < K) a[y][x] = A[row * K + t + x];
        if (t + y < K && col < N) b[y][x] = B[(t + y) * N + col];
        MULTIPLY;
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
// It stores nothing where row or column are outside, and never did.
__global__ void short_inner_loop(PRODUCT)
{
    PLACE;
    for (int t = 0; t < K; t += T) {
        if (row < M && t + x < K) a[y][x] = A[row * K + t + x];
        if (t + y < K && col < N) b[y][x] = B[(t + y) * N + col];
        __syncthreads();
        if (row < M && col < N)
            for (int k = 0; k < min(T, K - t); k++) sum += a[y][k] * b[k][x];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
__global__ void rest_of_k_left_out(PRODUCT)
{
    PLACE;
    for (int t = 0; t + T <= K; t += T) {
        a[y][x] = row < M ? A[row * K + t + x] : 0;
        b[y][x] = col < N ? B[(t + y) * N + col] : 0;
        MULTIPLY;
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
__global__ void rest_of_k_after_loop(PRODUCT)
{
    PLACE;
    int t = 0;
    for (; t + T <= K; t += T) {
        a[y][x] = row < M ? A[row * K + t + x] : 0;
        b[y][x] = col < N ? B[(t + y) * N + col] : 0;
        MULTIPLY;
    }
    if (row < M && col < N) {
        for (; t < K; t++) sum += A[row * K + t] * B[t * N + col];
        C[row * N + col] = sum;
    }
}
// Threads outside leave before the barriers.
__global__ void return_before_barriers(PRODUCT)
{
    PLACE;
    if (row >= M || col >= N) return;
    for (int t = 0; t < K; t += T) {
        a[y][x] = t + x < K ? A[row * K + t + x] : 0;
        b[y][x] = t + y < K ? B[(t + y) * N + col] : 0;
        MULTIPLY;
    }
    C[row * N + col] = sum;
}
__global__ void store_unguarded(PRODUCT)
{
    PLACE;
    for (int t = 0; t < K; t += T) {
        a[y][x] = row < M && t + x < K ? A[row * K + t + x] : 0;
        b[y][x] = t + y < K && col < N ? B[(t + y) * N + col] : 0;
        MULTIPLY;
    }
    C[row * N + col] = sum;
}
__global__ void columns_of_a_unguarded(PRODUCT)
{
    PLACE;
    for (int t = 0; t < K; t += T) {
        a[y][x] = row < M ? A[row * K + t + x] : 0;
        b[y][x] = t + y < K && col < N ? B[(t + y) * N + col] : 0;
        MULTIPLY;
    }
    if (row < M && col < N) C[row * N + col] = sum;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const int M = 20, N = 27, K = 19;
    float *A = filled_array<float>(M * K, 1), *B = filled_array<float>(K * N, 2);
    float *C = unset_array<float>(M * N);
    dim3 grid((N + T - 1) / T, (M + T - 1) / T), block(T, T);
    RUN(zeros_outside, grid, block, A, B, C, M, N, K);
    RUN(clamped_and_masked, grid, block, A, B, C, M, N, K);
    RUN(clamped_only, grid, block, A, B, C, M, N, K);
    RUN(stale_edge, grid, block, A, B, C, M, N, K);
    RUN(short_inner_loop, grid, block, A, B, C, M, N, K);
    RUN(rest_of_k_left_out, grid, block, A, B, C, M, N, K);
    RUN(rest_of_k_after_loop, grid, block, A, B, C, M, N, K);
    RUN(return_before_barriers, grid, block, A, B, C, M, N, K);
    RUN(store_unguarded, grid, block, A, B, C, M, N, K);
    RUN(columns_of_a_unguarded, grid, block, A, B, C, M, N, K);
    return end_program(A, B, C);
}
