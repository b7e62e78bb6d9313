#include <mma.h>
using namespace nvcuda;
__global__ void mm(const half *A, const half *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * 8, col = blockIdx.x * 32;
    wmma::fragment<wmma::accumulator, 8, 32, 16, float> acc;
    wmma::fill_fragment(acc, 0.0f);
    for (int k = 0; k < K; k += 16) {
        wmma::fragment<wmma::matrix_a, 8, 32, 16, half, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 8, 32, 16, half, wmma::row_major> fb;
        wmma::load_matrix_sync(fa, A + row * K + k, K);
        wmma::load_matrix_sync(fb, B + k * N + col, N);
        wmma::mma_sync(acc, fa, fb, acc);
    }
    wmma::store_matrix_sync(C + row * N + col, acc, N, wmma::mem_row_major);
}
__global__ void rest(const half *A, const half *B, float *C, int M, int N, int K, int col)
{
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
    int row = blockIdx.x * 16;
    wmma::fill_fragment(acc, 0.0f);
    for (int k = 0; k < K; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
        wmma::load_matrix_sync(fa, A + row * K + k, K);
        wmma::load_matrix_sync(fb, B + k * N + col, N);
        wmma::mma_sync(acc, fa, fb, acc);
    }
    wmma::store_matrix_sync(C + row * N + col, acc, N, wmma::mem_row_major);
}
void launch(const half *A, const half *B, float *C, int M, int N, int K)
{
    if (N / 32) mm<<<dim3(N / 32, M / 8), 32>>>(A, B, C, M, N, K);
    if (N % 32) rest<<<M / 16, 32>>>(A, B, C, M, N, K, N / 32 * 32);
}
