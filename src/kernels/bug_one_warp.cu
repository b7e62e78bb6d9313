// bug_one_warp: four warps, and all of them compute the same fragment.
//
// Wrong: a block of four warps is meant to compute 32 x 32 of C, a
// fragment of 16 x 16 each. Where a fragment is must come from the
// warp's number; here it comes from the block's alone. All four write
// the same 16 x 16 elements, and three quarters of C are never written.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense;
// a block of 128 threads. The launcher checks that M and N are
// multiples of 32 and K of 16, and refuses in words otherwise.

#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void bug_one_warp(const half *A, const half *B, float *C,
                             int M, int N, int K)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half,
                   wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half,
                   wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;

    // Missing: + warp / 2 * 16 and + warp % 2 * 16, of threadIdx.x / 32
    int row = blockIdx.y * 32;
    int col = blockIdx.x * 32;

    wmma::fill_fragment(c, 0.0f);
    for (int t = 0; t < K; t += 16) {
        wmma::load_matrix_sync(a, &A[row * K + t], K);
        wmma::load_matrix_sync(b, &B[t * N + col], N);
        wmma::mma_sync(c, a, b, c);
    }
    wmma::store_matrix_sync(&C[row * N + col], c, N,
                            wmma::mem_row_major);
}
