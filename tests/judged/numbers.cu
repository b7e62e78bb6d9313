// Numbers that round, overflow or lose their sign.
#include "judged.h"
#include <cuda_fp16.h>
#define PRODUCT const float *A, const float *B, float *C, int M, int N, int K
#define PLACE \
    int row = blockIdx.y * blockDim.y + threadIdx.y; \
    int col = blockIdx.x * blockDim.x + threadIdx.x; \
    if (row >= M || col >= N) return

// In double, rounded once: nearer than a sum in float.
__global__ void sum_in_double(PRODUCT)
{
    PLACE;
    double sum = 0;
    for (int k = 0; k < K; k++) sum += (double)A[row * K + k] * B[k * N + col];
    C[row * N + col] = (float)sum;
}
// Multiples of 1/16 below 64 in all: a half has them exactly.
__global__ void sum_in_half(PRODUCT)
{
    PLACE;
    __half sum = __float2half(0);
    for (int k = 0; k < K; k++)
        sum = __hadd(sum, __float2half(A[row * K + k] * B[k * N + col]));
    C[row * N + col] = __half2float(sum);
}
// From 1024 on a half has whole numbers only.
__global__ void sum_in_half_from_1024(PRODUCT)
{
    PLACE;
    __half sum = __float2half(1024);
    for (int k = 0; k < K; k++)
        sum = __hadd(sum, __float2half(A[row * K + k] * B[k * N + col]));
    C[row * N + col] = __half2float(sum) - 1024;
}
__global__ void sum_in_int(PRODUCT)
{
    PLACE;
    int sum = 0;
    for (int k = 0; k < K; k++) sum += (int)(A[row * K + k] * B[k * N + col]);
    C[row * N + col] = (float)sum;
}
// In another order: even terms, then odd ones.
__global__ void two_partial_sums(PRODUCT)
{
    PLACE;
    float even = 0, odd = 0;
    for (int k = 0; k < K; k += 2) {
        even += A[row * K + k] * B[k * N + col];
        odd += A[row * K + k + 1] * B[(k + 1) * N + col];
    }
    C[row * N + col] = even + odd;
}
// 1 / 2 is 0 where both are whole.
__global__ void half_of_whole_numbers(PRODUCT)
{
    PLACE;
    float sum = 0;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = 1 / 2 * sum + 1 / 2 * sum;
}
__global__ void half_of_floats(PRODUCT)
{
    PLACE;
    float sum = 0;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = 1 / 2.f * sum + 1 / 2.f * sum;
}
// The signs of A are lost.
__global__ void sign_lost(PRODUCT)
{
    PLACE;
    float sum = 0;
    for (int k = 0; k < K; k++) sum += fabsf(A[row * K + k]) * B[k * N + col];
    C[row * N + col] = sum;
}
// An index in 8 bits comes round at 256.
__global__ void index_of_eight_bits(PRODUCT)
{
    PLACE;
    float sum = 0;
    for (int k = 0; k < K; k++) {
        unsigned char at = (unsigned char)(row * K + k);
        sum += A[at] * B[k * N + col];
    }
    C[row * N + col] = sum;
}
__global__ void index_of_sixteen_bits(PRODUCT)
{
    PLACE;
    float sum = 0;
    for (int k = 0; k < K; k++) {
        unsigned short at = (unsigned short)(row * K + k);
        sum += A[at] * B[k * N + col];
    }
    C[row * N + col] = sum;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const int M = 24, N = 16, K = 32;
    float *A = filled_array<float>(M * K, 1), *B = filled_array<float>(K * N, 2);
    float *C = unset_array<float>(M * N);
    dim3 grid(2, 3), block(8, 8);
    RUN(sum_in_double, grid, block, A, B, C, M, N, K);
    RUN(sum_in_half, grid, block, A, B, C, M, N, K);
    RUN(sum_in_half_from_1024, grid, block, A, B, C, M, N, K);
    RUN(sum_in_int, grid, block, A, B, C, M, N, K);
    RUN(two_partial_sums, grid, block, A, B, C, M, N, K);
    RUN(half_of_whole_numbers, grid, block, A, B, C, M, N, K);
    RUN(half_of_floats, grid, block, A, B, C, M, N, K);
    RUN(sign_lost, grid, block, A, B, C, M, N, K);
    RUN(index_of_eight_bits, grid, block, A, B, C, M, N, K);
    RUN(index_of_sixteen_bits, grid, block, A, B, C, M, N, K);
    return end_program(A, B, C);
}
