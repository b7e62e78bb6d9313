// bug_wmma_pad: a tile of halves padded by one, as tiles of floats are.
//
// Wrong: wmma needs a leading dimension that is a multiple of 16 bytes,
// and rows of 17 halves are 34 bytes apart. What a GPU does with that
// is not said anywhere. Padding by 8 halves is legal.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense;
// a block of one warp. The launcher checks that M, N and K are
// multiples of 16 and refuses the launch in words otherwise.

#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

#define PAD 1   // legal: 0, 8, 16

__global__ void bug_wmma_pad(const half *A, const half *B, float *C,
                             int M, int N, int K)
{
    __shared__ __align__(32) half As[16][16 + PAD];
    __shared__ __align__(32) half Bs[16][16 + PAD];

    wmma::fragment<wmma::matrix_a, 16, 16, 16, half,
                   wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half,
                   wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;

    int row0 = blockIdx.y * 16;
    int col0 = blockIdx.x * 16;

    wmma::fill_fragment(c, 0.0f);
    for (int t = 0; t < K; t += 16) {
        for (int i = threadIdx.x; i < 256; i += 32) {
            As[i / 16][i % 16] = A[(row0 + i / 16) * K + t + i % 16];
            Bs[i / 16][i % 16] = B[(t + i / 16) * N + col0 + i % 16];
        }
        __syncthreads();

        wmma::load_matrix_sync(a, &As[0][0], 16 + PAD);
        wmma::load_matrix_sync(b, &Bs[0][0], 16 + PAD);
        wmma::mma_sync(c, a, b, c);
        __syncthreads();
    }
    wmma::store_matrix_sync(&C[row0 * N + col0], c, N,
                            wmma::mem_row_major);
}
