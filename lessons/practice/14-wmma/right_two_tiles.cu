#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
template <int W> __global__ void mm(const half *A, const half *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * 16, col = blockIdx.x * 16 * W;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b[W];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c[W];
    for (int j = 0; j < W; ++j) wmma::fill_fragment(c[j], 0.0f);
    for (int k = 0; k < K; k += 16) {
        wmma::load_matrix_sync(a, A + row * K + k, K);
        for (int j = 0; j < W && col + 16 * j < N; ++j) {
            wmma::load_matrix_sync(b[j], B + k * N + col + 16 * j, N);
            wmma::mma_sync(c[j], a, b[j], c[j]);
        }
    }
    for (int j = 0; j < W && col + 16 * j < N; ++j)
        wmma::store_matrix_sync(C + row * N + col + 16 * j, c[j], N, wmma::mem_row_major);
}
void launch(const half *A, const half *B, float *C, int M, int N, int K)
{
    mm<2><<<dim3((N / 16 + 1) / 2, M / 16), 32>>>(A, B, C, M, N, K);
}
