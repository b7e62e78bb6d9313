#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void product(const half *A, const half *B, float *C,
                        int M, int N, int K)
{
    __shared__ __align__(32) float Cs[16][16];

    int row = blockIdx.y * 16;
    int col = blockIdx.x * 16;

    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;

    wmma::fill_fragment(c, 0.0f);
    for (int k = 0; k < K; k += 16) {
        wmma::load_matrix_sync(a, &A[row * K + k], K);
        wmma::load_matrix_sync(b, &B[k * N + col], N);
        wmma::mma_sync(c, a, b, c);
    }
    wmma::store_matrix_sync(&Cs[0][0], c, 16, wmma::mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x; i < 256; i += 32)
        C[(row + i / 16) * N + col + i % 16] = Cs[i / 16][i % 16];
}

void launch(const half *A, const half *B, float *C, int M, int N, int K)
{
    product<<<dim3(N / 16, M / 16), 32>>>(A, B, C, M, N, K);
}
