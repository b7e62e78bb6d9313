// mma: the tensor cores' own instruction, on tiles without conflicts.
//
// Idea: wmma leaves it to the compiler which lane holds what. Here the
// program says so: a warp's fragments are plain registers, ldmatrix
// fills them with four 8 x 8 matrices at once, and mma multiplies 16 x
// 16 by 16 x 8. ldmatrix reads 8 rows of 8 halves at a time, which
// stand under each other in a tile and would all meet in the same four
// banks. So the 8 halves that belong at column 8c of a row are kept at
// 8 (c XOR row % 8): of 8 rows under each other each now has other
// banks, 8 neighbours in a row still have, and nothing is wasted on
// padding.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense,
// and 16-byte aligned; a block of 256 threads; sm_80 or newer. Any M.
// The launcher checks that N and K are multiples of 8, so that 8 halves
// lie inside a matrix or outside, and refuses the launch in words
// otherwise.

#include <cuda_fp16.h>
#include <ptx.h>

#define TILE 128   // rows and columns of C a block computes
#define DEPTH 64   // columns of A and rows of B in one phase
#define THREADS 256

// Where the column of a tile is kept in this row.
__device__ int swizzled(int row, int col)
{
    return col ^ row % 8 * 8;
}

// 8 halves, or zeros where the matrix has ended.
__device__ void copy(half *to, const half *from, bool inside)
{
    uint4 halves = make_uint4(0, 0, 0, 0);

    if (inside)
        halves = *reinterpret_cast<const uint4 *>(from);
    *reinterpret_cast<uint4 *>(to) = halves;
}

__global__ void matmul_mma(const half *A, const half *B, float *C,
                           int M, int N, int K)
{
    __shared__ __align__(128) half As[TILE][DEPTH];
    __shared__ __align__(128) half Bs[DEPTH][TILE];

    unsigned a[2][4];          // 2 times 16 x 16 of A, 8 halves a lane
    unsigned b[4];             // 16 x 8 of B twice, side by side
    float c[2][8][4] = {};     // 2 x 8 times 16 x 8 of C

    int row0 = blockIdx.y * TILE;
    int col0 = blockIdx.x * TILE;
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    int warp_row = warp / 2 * 32;
    int warp_col = warp % 2 * 64;

    for (int t = 0; t < K; t += DEPTH) {
        for (int i = threadIdx.x; i < TILE * DEPTH / 8; i += THREADS) {
            int row = i / (DEPTH / 8);
            int col = i % (DEPTH / 8) * 8;

            copy(&As[row][swizzled(row, col)],
                 &A[(row0 + row) * K + t + col],
                 row0 + row < M && t + col < K);
        }
        for (int i = threadIdx.x; i < DEPTH * TILE / 8; i += THREADS) {
            int row = i / (TILE / 8);
            int col = i % (TILE / 8) * 8;

            copy(&Bs[row][swizzled(row, col)],
                 &B[(t + row) * N + col0 + col],
                 t + row < K && col0 + col < N);
        }
        __syncthreads();

        // Lanes 0 to 15 name the rows of two matrices, one under the
        // other, lanes 16 to 31 those of the two to their right.
        for (int k = 0; k < DEPTH; k += 16) {
            for (int i = 0; i < 2; ++i) {
                int row = warp_row + 16 * i + lane % 16;
                int col = k + lane / 16 * 8;

                ldmatrix_x4(a[i], &As[row][swizzled(row, col)]);
            }
            for (int j = 0; j < 8; j += 2) {
                int row = k + lane % 16;
                int col = warp_col + 8 * j + lane / 16 * 8;

                // mma wants columns of B: each matrix transposed.
                ldmatrix_x4_trans(b, &Bs[row][swizzled(row, col)]);
                for (int i = 0; i < 2; ++i) {
                    mma_m16n8k16(c[i][j], a[i], b, half());
                    mma_m16n8k16(c[i][j + 1], a[i], b + 2, half());
                }
            }
        }
        __syncthreads();
    }

    // A lane holds two neighbours, and two more 8 rows below. What is
    // not read again need not stay in the cache.
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 8; ++j)
            for (int e = 0; e < 4; e += 2) {
                int row = row0 + warp_row + 16 * i + lane / 4 + 4 * e;
                int col = col0 + warp_col + 8 * j + lane % 4 * 2;
                float2 two = make_float2(c[i][j][e], c[i][j][e + 1]);
                float *to = &C[row * N + col];

                if (row < M && col < N)
                    __stcs(reinterpret_cast<float2 *>(to), two);
            }
}
