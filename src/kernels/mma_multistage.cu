// mma_multistage: mma that copies several phases ahead, and reads one.
//
// Idea: in `mma` the tensor cores wait for each phase's copies, and for
// each fragment. Here STAGES pairs of tiles stand in a ring: while one
// is computed with, asynchronous copies fill those ahead of it, and one
// barrier a phase says both that the next has come and that the last is
// free. Within a phase it is the same with registers: the fragments of
// the next step are read while the tensor cores work on this one's. A
// warp owns 64 x 64 of C, so that each fragment serves 4 or 8 products.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense,
// and 16-byte aligned; a block of 32 threads for each 64 x 64 of its
// tile of ROWS x COLS; as much shared memory as STAGES pairs of tiles
// need; sm_80 or newer. Any M: what lies outside A or B is filled with
// zeros. The launcher checks that N and K are multiples of 8, so that 8
// reals lie inside a matrix or outside, and refuses the launch in words
// otherwise.

#include <cuda_pipeline_primitives.h>
#include <ptx.h>

#ifndef ROWS
#define ROWS 128   // of C a block computes
#endif
#ifndef COLS
#define COLS 256
#endif
#ifndef DEPTH
#define DEPTH 32   // columns of A and rows of B in one phase
#endif
#ifndef STAGES
#define STAGES 4
#endif
#ifndef GROUP
#define GROUP 8    // rows of tiles that blocks walk through together
#endif
#ifndef EXPONENT
#define EXPONENT 5 // bits of a real's exponent
#endif

#if EXPONENT == 5
typedef half real;
#elif EXPONENT == 8
typedef __nv_bfloat16 real;
#else
#error "EXPONENT is 5, of half, or 8, of bfloat16"
#endif

#define THREADS (ROWS / 64 * (COLS / 64) * 32)
static_assert(ROWS % 64 == 0 && COLS % 64 == 0 && DEPTH % 32 == 0 &&
              ROWS * DEPTH / 8 % THREADS == 0 &&
              DEPTH * COLS / 8 % THREADS == 0, "a tile that can be split");

// Where a row of a tile keeps a column: the 8 rows under each other that
// ldmatrix reads at once then use all banks.
template <int Columns> __device__ int swizzled(int row, int col)
{
    const int rows = Columns < 64 ? 64 / Columns : 1;  // of all banks

    return col ^ row / rows % (8 / rows) * 8;
}

// Begins to copy what is at (row0, col0) of a matrix of M x N to a tile.
template <int Rows, int Columns>
__device__ void copy(real *tile, const real *from, int row0, int col0,
                     int M, int N)
{
    for (int n = 0; n < Rows * Columns / 8 / THREADS; ++n) {
        int i = n * THREADS + threadIdx.x;
        int row = i / (Columns / 8);
        int col = i % (Columns / 8) * 8;
        bool inside = row0 + row < M && col0 + col < N;

        __pipeline_memcpy_async(
            &tile[row * Columns + swizzled<Columns>(row, col)],
            &from[(row0 + row) * N + col0 + col], 16, inside ? 0 : 16);
    }
}

// Reads the fragments of 16 columns of A and rows of B, from k on.
__device__ void fetch(unsigned (&a)[4][4], unsigned (&b)[4][4],
                      const real *As, const real *Bs, int k)
{
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int warp_row = warp / (COLS / 64) * 64;
    int warp_col = warp % (COLS / 64) * 64;

    for (int i = 0; i < 4; ++i) {
        int row = warp_row + 16 * i + lane % 16;
        int col = k + lane / 16 * 8;

        ldmatrix_x4(a[i], &As[row * DEPTH + swizzled<DEPTH>(row, col)]);
    }
    for (int j = 0; j < 4; ++j) {
        int row = k + lane % 16;
        int col = warp_col + 16 * j + lane / 16 * 8;

        ldmatrix_x4_trans(b[j],
                          &Bs[row * COLS + swizzled<COLS>(row, col)]);
    }
}

__global__ void __launch_bounds__(THREADS)
mma_multistage(const real *A, const real *B, float *C, int M, int N,
               int K)
{
    extern __shared__ __align__(128) real tiles[];
    real *As = tiles;
    real *Bs = tiles + STAGES * ROWS * DEPTH;

    unsigned a[2][4][4];       // two steps' fragments: 64 x 16 of A,
    unsigned b[2][4][4];       // and 16 x 64 of B
    float c[4][8][4] = {};

    // Blocks that run together share rows and columns, in L2.
    int across = (N + COLS - 1) / COLS;
    int down = (M + ROWS - 1) / ROWS;
    int first = blockIdx.x / (GROUP * across) * GROUP;
    int high = min(GROUP, down - first);
    int nth = blockIdx.x % (GROUP * across);
    int row0 = (first + nth % high) * ROWS;
    int col0 = nth / high * COLS;
    int stage = 0;

    for (int s = 0; s < STAGES - 1; ++s) {
        copy<ROWS, DEPTH>(As + s * ROWS * DEPTH, A, row0, s * DEPTH, M, K);
        copy<DEPTH, COLS>(Bs + s * DEPTH * COLS, B, s * DEPTH, col0, K, N);
        __pipeline_commit();
    }
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    fetch(a[0], b[0], As, Bs, 0);

    for (int t = 0; t < K; t += DEPTH) {
#pragma unroll
        for (int k = 0; k < DEPTH; k += 16) {
            int now = k / 16 % 2;

            if (k + 16 == DEPTH) {
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads();
                stage = (stage + 1) % STAGES;
            }
            // Behind the last phase there are zeros.
            fetch(a[1 - now], b[1 - now], As + stage * ROWS * DEPTH,
                  Bs + stage * DEPTH * COLS, (k + 16) % DEPTH);
            if (k == 0) {
                int to = (stage + STAGES - 1) % STAGES;
                int from = t + (STAGES - 1) * DEPTH;

                copy<ROWS, DEPTH>(As + to * ROWS * DEPTH,
                                  A, row0, from, M, K);
                copy<DEPTH, COLS>(Bs + to * DEPTH * COLS,
                                  B, from, col0, K, N);
                __pipeline_commit();
            }
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 8; ++j)
                    mma_m16n8k16(c[i][j], a[now][i],
                                 &b[now][j / 2][j % 2 * 2], real());
        }
    }

    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;

    row0 += warp / (COLS / 64) * 64 + lane / 4;
    col0 += warp % (COLS / 64) * 64 + lane % 4 * 2;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 8; ++j)
            for (int e = 0; e < 4; e += 2) {
                int row = row0 + 16 * i + 4 * e;
                int col = col0 + 8 * j;
                float2 two = make_float2(c[i][j][e], c[i][j][e + 1]);
                float *to = &C[row * N + col];

                if (row < M && col < N)
                    __stcs(reinterpret_cast<float2 *>(to), two);
            }
}
