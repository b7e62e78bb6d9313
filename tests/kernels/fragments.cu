// fragments: both layouts of each operand; lanes change their own elements;
// half sums. A's first 16x16 times B's, in C, then its transpose.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void fragments(const half *A, const half *B, half *C)
{
    __shared__ __align__(32) float s[16][16];
    __shared__ __align__(32) half h[16][24];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major> at;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> bt;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> d;

    wmma::load_matrix_sync(a, A, 16);
    wmma::load_matrix_sync(b, B, 16);
    wmma::fill_fragment(c, 0.0f);
    wmma::mma_sync(c, a, b, c);
    for (int i = 0; i < c.num_elements; ++i)
        c.x[i] = 2 * c.x[i];
    wmma::store_matrix_sync(&s[0][0], c, 16, wmma::mem_row_major);
    wmma::load_matrix_sync(bt, A, 16);
    wmma::load_matrix_sync(at, B, 16);
    wmma::fill_fragment(d, __float2half(0.0f));
    wmma::mma_sync(d, at, bt, d);
    wmma::store_matrix_sync(&h[0][0], d, 24, wmma::mem_col_major);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += 32)
        C[i] = fabs(s[i / 16][i % 16] - 2 * __half2float(h[i / 16][i % 16])) < 1;
}
