#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void product(const half *A, const half *B, float *C,
                        int M, int N, int K)
{
    __shared__ __align__(32) half As[16][16];
    __shared__ __align__(32) half Bs[16][16];

    int row = blockIdx.y * 16;
    int col = blockIdx.x * 16;

    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;

    wmma::fill_fragment(c, 0.0f);
    for (int k = 0; k < K; k += 16) {
        for (int i = threadIdx.x; i < 256; i += 32) {
            As[i / 16][i % 16] = A[(row + i / 16) * K + k + i % 16];
            Bs[i / 16][i % 16] = B[(k + i / 16) * N + col + i % 16];
        }
        __syncwarp();
        wmma::load_matrix_sync(a, &As[0][0], 16);
        wmma::load_matrix_sync(b, &Bs[0][0], 16);
        wmma::mma_sync(c, a, b, c);
        __syncwarp();
    }
    wmma::store_matrix_sync(&C[row * N + col], c, N, wmma::mem_row_major);
}

void launch(const half *A, const half *B, float *C, int M, int N, int K)
{
    product<<<dim3(N / 16, M / 16), 32>>>(A, B, C, M, N, K);
}
