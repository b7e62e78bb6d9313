// mma_multistage: mma that copies several phases ahead, and reads one.
//
// Idea: in `mma` the tensor cores wait for each phase's copies, and for
// each fragment. Here STAGES pairs of tiles stand in a ring: while one
// is computed with, asynchronous copies fill the others. Fragments are
// read a step ahead, too, while the tensor cores work on those before.
// So the tiles of a phase have been read when its last step begins, and
// one barrier says both that they are free and that the next have come.
// A warp owns 64 x 64 of C, so that a fragment serves 4 or 8 products.
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
#define SIZE_A (ROWS * DEPTH)
#define SIZE_B (DEPTH * COLS)
static_assert(ROWS % 128 == 0 && COLS % 64 == 0 && DEPTH % 32 == 0 &&
              ROWS * COLS % (128 * DEPTH) == 0,
              "tiles whose rows are copied a multiple of 8 at a time");

// Where a row of a tile keeps a column: 8 rows under each other, which
// ldmatrix reads at once, then use all banks.
template <int Columns> __device__ int swizzled(int row, int col)
{
    const int rows = Columns < 64 ? 64 / Columns : 1;  // of all banks

    return col ^ row / rows % (8 / rows) * 8;
}

// Begins to copy a tile, of which so many rows and columns exist. A
// thread copies 8 reals of several rows, which are a multiple of 8 apart
// and so keep them at the same place.
template <int Rows, int Columns>
__device__ void copy(real *tile, const real *from, int pitch, int rows,
                     int columns)
{
    const int step = THREADS / (Columns / 8);
    int row = threadIdx.x / (Columns / 8);
    int col = threadIdx.x % (Columns / 8) * 8;

    tile += row * Columns + swizzled<Columns>(row, col);
    from += row * pitch + col;
    for (int n = 0; n < Rows; n += step) {
        bool inside = row + n < rows && col < columns;

        __pipeline_memcpy_async(tile + n * Columns, from + n * pitch,
                                16, inside ? 0 : 16);
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
    real *Bs = tiles + STAGES * SIZE_A;

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

    A += row0 * K;
    B += col0;
    for (int s = 0; s < STAGES; ++s) {
        int t = s * DEPTH;

        copy<ROWS, DEPTH>(As + s * SIZE_A, A + t, K, M - row0, K - t);
        copy<DEPTH, COLS>(Bs + s * SIZE_B, B + t * N, N, K - t, N - col0);
        __pipeline_commit();
    }
    __pipeline_wait_prior(STAGES - 1);
    __syncthreads();
    fetch(a[0], b[0], As, Bs, 0);

    for (int t = 0; t < K; t += DEPTH) {
        int done = stage;

#pragma unroll
        for (int k = 0; k < DEPTH; k += 16) {
            int now = k / 16 % 2;

            if (k + 16 == DEPTH) {
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads();
                stage = (stage + 1) % STAGES;
            }
            // Behind the last phase there are zeros.
            fetch(a[1 - now], b[1 - now], As + stage * SIZE_A,
                  Bs + stage * SIZE_B, (k + 16) % DEPTH);
            if (k + 16 == DEPTH) {
                int next = t + STAGES * DEPTH;

                copy<ROWS, DEPTH>(As + done * SIZE_A, A + next, K,
                                  M - row0, K - next);
                copy<DEPTH, COLS>(Bs + done * SIZE_B, B + next * N, N,
                                  K - next, N - col0);
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
