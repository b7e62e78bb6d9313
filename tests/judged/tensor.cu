// Fragments of matrices: layouts, leading dimensions and whole warps.
#include "judged.h"
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda::wmma;
#define PRODUCT const half *A, const half *B, float *C, int M, int N, int K
#define FRAGMENTS(layout) \
    fragment<matrix_a, 16, 16, 16, half, row_major> a; \
    fragment<matrix_b, 16, 16, 16, half, layout> b; \
    fragment<accumulator, 16, 16, 16, float> c

__global__ void tile_of_a_block(PRODUCT)
{
    FRAGMENTS(row_major);
    int row = blockIdx.y * 16, col = blockIdx.x * 16;
    fill_fragment(c, 0.0f);
    for (int k = 0; k < K; k += 16) {
        load_matrix_sync(a, A + row * K + k, K);
        load_matrix_sync(b, B + k * N + col, N);
        mma_sync(c, a, b, c);
    }
    store_matrix_sync(C + row * N + col, c, N, mem_row_major);
}
// The accumulator is cleared element by element.
__global__ void cleared_by_element(PRODUCT)
{
    FRAGMENTS(row_major);
    int row = blockIdx.y * 16, col = blockIdx.x * 16;
    for (int i = 0; i < c.num_elements; i++) c.x[i] = 0;
    for (int k = 0; k < K; k += 16) {
        load_matrix_sync(a, A + row * K + k, K);
        load_matrix_sync(b, B + k * N + col, N);
        mma_sync(c, a, b, c);
    }
    store_matrix_sync(C + row * N + col, c, N, mem_row_major);
}
__global__ void never_cleared(PRODUCT)
{
    FRAGMENTS(row_major);
    int row = blockIdx.y * 16, col = blockIdx.x * 16;
    for (int k = 0; k < K; k += 16) {
        load_matrix_sync(a, A + row * K + k, K);
        load_matrix_sync(b, B + k * N + col, N);
        mma_sync(c, a, b, c);
    }
    store_matrix_sync(C + row * N + col, c, N, mem_row_major);
}
__global__ void wrong_layout_of_b(PRODUCT)
{
    FRAGMENTS(col_major);
    int row = blockIdx.y * 16, col = blockIdx.x * 16;
    fill_fragment(c, 0.0f);
    for (int k = 0; k < K; k += 16) {
        load_matrix_sync(a, A + row * K + k, K);
        load_matrix_sync(b, B + k * N + col, N);
        mma_sync(c, a, b, c);
    }
    store_matrix_sync(C + row * N + col, c, N, mem_row_major);
}
// The leading dimension is that of the tile, not of the matrix.
__global__ void leading_dimension_of_tile(PRODUCT)
{
    FRAGMENTS(row_major);
    int row = blockIdx.y * 16, col = blockIdx.x * 16;
    fill_fragment(c, 0.0f);
    for (int k = 0; k < K; k += 16) {
        load_matrix_sync(a, A + row * K + k, 16);
        load_matrix_sync(b, B + k * N + col, N);
        mma_sync(c, a, b, c);
    }
    store_matrix_sync(C + row * N + col, c, N, mem_row_major);
}
// By way of shared memory, whose tile has that leading dimension.
__global__ void tile_in_shared_memory(PRODUCT)
{
    __shared__ half s[16 * 16];
    FRAGMENTS(row_major);
    int row = blockIdx.y * 16, col = blockIdx.x * 16;
    fill_fragment(c, 0.0f);
    for (int k = 0; k < K; k += 16) {
        for (int i = threadIdx.x; i < 256; i += 32)
            s[i] = A[(row + i / 16) * K + k + i % 16];
        __syncwarp();
        load_matrix_sync(a, s, 16);
        load_matrix_sync(b, B + k * N + col, N);
        mma_sync(c, a, b, c);
        __syncwarp();
    }
    store_matrix_sync(C + row * N + col, c, N, mem_row_major);
}
// The tile is filled again while other lanes may still load from it.
__global__ void tile_filled_too_early(PRODUCT)
{
    __shared__ half s[16 * 16];
    FRAGMENTS(row_major);
    int row = blockIdx.y * 16, col = blockIdx.x * 16;
    fill_fragment(c, 0.0f);
    for (int k = 0; k < K; k += 16) {
        for (int i = threadIdx.x; i < 256; i += 32)
            s[i] = A[(row + i / 16) * K + k + i % 16];
        load_matrix_sync(a, s, 16);
        load_matrix_sync(b, B + k * N + col, N);
        mma_sync(c, a, b, c);
    }
    store_matrix_sync(C + row * N + col, c, N, mem_row_major);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const int M = 32, N = 48, K = 64;
    half *A = filled_array<half>(M * K, 1), *B = filled_array<half>(K * N, 2);
    float *C = unset_array<float>(M * N);
    dim3 grid(N / 16, M / 16);
    RUN(tile_of_a_block, grid, 32, A, B, C, M, N, K);
    RUN(cleared_by_element, grid, 32, A, B, C, M, N, K);
    RUN(never_cleared, grid, 32, A, B, C, M, N, K);
    RUN(wrong_layout_of_b, grid, 32, A, B, C, M, N, K);
    RUN(leading_dimension_of_tile, grid, 32, A, B, C, M, N, K);
    RUN(tile_in_shared_memory, grid, 32, A, B, C, M, N, K);
    RUN(tile_filled_too_early, grid, 32, A, B, C, M, N, K);
    return end_program(A, B, C);
}
