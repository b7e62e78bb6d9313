#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void product(const half *A, const half *B, float *C,
                        int M, int N, int K)
{
    int tile = blockIdx.x * 4 + threadIdx.x / 32;

    if (tile >= M / 16 * (N / 16))
        return;

    int row = tile / (N / 16) * 16;
    int col = tile % (N / 16) * 16;

    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;

    for (int k = 0; k < K; k += 16) {
        wmma::load_matrix_sync(a, &A[row * K + k], K);
        wmma::load_matrix_sync(b, &B[k * N + col], N);
        wmma::mma_sync(c, a, b, c);
    }
    wmma::store_matrix_sync(&C[row * N + col], c, N, wmma::mem_row_major);
}

void launch(const half *A, const half *B, float *C, int M, int N, int K)
{
    int tiles = M / 16 * (N / 16);

    product<<<(tiles + 3) / 4, 128>>>(A, B, C, M, N, K);
}
