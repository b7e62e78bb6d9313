// wmma: a warp multiplies 16 x 16 x 16 at once on the tensor cores.
//
// Idea: A and B are of half precision, and sums are kept in float. A
// block of 8 warps works on a 128 x 128 tile of C, 32 deep: it copies
// its tiles of A and B to shared memory, 8 halves at a time. Each warp
// owns 32 x 64 of C as 2 x 4 fragments. A fragment is a 16 x 16 matrix
// that lies in the registers of all 32 lanes; only the warp as a whole
// can load, multiply or store it. Rows of the tiles are padded by 8
// halves, so that rows start in different banks: wmma needs a leading
// dimension that is a multiple of 16 bytes.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense;
// a block of 256 threads; sm_70 or newer. The launcher checks that M, N
// and K are multiples of 16, so that a fragment lies inside C or
// outside, and refuses the launch in words otherwise.

#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

#define TILE 128   // rows and columns of C a block computes
#define DEPTH 32   // columns of A and rows of B in one phase
#define PAD 8
#define THREADS 256

// 8 halves, or zeros where the matrix has ended.
__device__ void copy(half *to, const half *from, bool inside)
{
    uint4 halves = make_uint4(0, 0, 0, 0);

    if (inside)
        halves = *reinterpret_cast<const uint4 *>(from);
    *reinterpret_cast<uint4 *>(to) = halves;
}

__global__ void matmul_wmma(const half *A, const half *B, float *C,
                            int M, int N, int K)
{
    __shared__ __align__(32) half As[TILE][DEPTH + PAD];
    __shared__ __align__(32) half Bs[DEPTH][TILE + PAD];

    wmma::fragment<wmma::matrix_a, 16, 16, 16, half,
                   wmma::row_major> a[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half,
                   wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c[2][4];

    int row0 = blockIdx.y * TILE;
    int col0 = blockIdx.x * TILE;
    int warp = threadIdx.x / 32;
    int warp_row = warp / 2 * 32;
    int warp_col = warp % 2 * 64;

    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
            wmma::fill_fragment(c[i][j], 0.0f);

    for (int t = 0; t < K; t += DEPTH) {
        for (int i = threadIdx.x; i < TILE * DEPTH / 8; i += THREADS) {
            int row = i / (DEPTH / 8);
            int col = i % (DEPTH / 8) * 8;

            copy(&As[row][col], &A[(row0 + row) * K + t + col],
                 row0 + row < M && t + col < K);
        }
        for (int i = threadIdx.x; i < DEPTH * TILE / 8; i += THREADS) {
            int row = i / (TILE / 8);
            int col = i % (TILE / 8) * 8;

            copy(&Bs[row][col], &B[(t + row) * N + col0 + col],
                 t + row < K && col0 + col < N);
        }
        __syncthreads();

        for (int k = 0; k < DEPTH; k += 16) {
            for (int i = 0; i < 2; ++i)
                wmma::load_matrix_sync(a[i], &As[warp_row + 16 * i][k],
                                       DEPTH + PAD);
            for (int j = 0; j < 4; ++j) {
                wmma::load_matrix_sync(b, &Bs[k][warp_col + 16 * j],
                                       TILE + PAD);
                for (int i = 0; i < 2; ++i)
                    wmma::mma_sync(c[i][j], a[i], b, c[i][j]);
            }
        }
        __syncthreads();
    }

    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j) {
            int row = row0 + warp_row + 16 * i;
            int col = col0 + warp_col + 16 * j;

            if (row < M && col < N)
                wmma::store_matrix_sync(&C[row * N + col], c[i][j], N,
                                        wmma::mem_row_major);
        }
}
