// sgemm: as fast as multiply-adds of floats get on CUDA cores.
//
// Idea: sgemm_pipelined, and what measuring has proved.
// - Two blocks share a multiprocessor: while one waits, the other computes.
// - The barrier stands within a step, where no warp is about to read what
//   others have just stored.
// - Blocks that run at the same time lie side by side in both directions, so
//   that the tiles they read meet in the L2 cache.
// - The sums leave through shared memory, so that a warp stores whole rows;
//   and the rows of A change places in pairs on their way through it, so
//   that a sum lies in another register bank than what is added to it.
// - There are no more blocks than run at once, and none is idle while others
//   work: where tiles are no multiple of the blocks, some are shared. Their
//   steps are dealt out so that each block has as many, and a block ends what
//   others have begun (stream-K).
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major, dense and
// aligned to 16 bytes; sm_80 or newer; all blocks run at once, or start in
// order. Any M, N, K: rows and columns beyond C are computed from its last
// ones and not stored, and the step that K does not fill comes first, filled
// up with zeros, so that the loop checks nothing. Where K or N is no
// multiple of 4, elements are copied singly, those of A straight to where
// they stand transposed.

#include <cuda_pipeline_primitives.h>

#ifndef BM
#define BM 128      // rows and columns of a tile of C
#endif
#ifndef BN
#define BN 128
#endif
#ifndef BK
#define BK 16       // columns of A and rows of B in a step
#endif
#ifndef BLOCKS
#define BLOCKS 2    // that share a multiprocessor
#endif
#ifndef WORK
#define WORK 8      // rows and columns of C a thread computes: 8 or 4
#endif

#define WM (8 * WORK)   // and a warp of 8 x 4 lanes
#define WN (4 * WORK)
#define THREADS (BM / WM * (BN / WN) * 32)
#define GROUP 8     // rows of tiles that are worked on together
#define MEET (BK / 2)   // the k of a step before which a block meets
#define SHARING 3   // steps that take as long as to share a tile
#define SHARERS ((1 << 23) / (BM * BN)) // blocks that may share tiles

// In bytes: a step's tiles in shared memory. That of A stands transposed.
// Behind four of its rows, which four lanes store at once, the next are moved
// on by some banks; behind each, where elements are copied singly. The tiles
// of three steps are there.
#define A_ROW(k) (4 * ((k) * BM + (Aligned ? (k) / 4 * (128 / BK) : (k) * 4)))
#define B_ROW(k) (A_ROW(BK) + 4 * (k) * BN)
#define STAGE B_ROW(BK)

// Float4s of a tile that a thread copies, and the rows between two of them.
#define COPIES_A (BM * BK / 4 / THREADS)
#define COPIES_B (BN * BK / 4 / THREADS)
#define STEP_A (THREADS / (BK / 4))
#define STEP_B (THREADS / (BN / 4))

#define OUT_ROWS (WM + 4)   // of a column of sums on its way out
#define OUT_COLUMNS 16      // of a warp, at a time

extern __shared__ __align__(16) float shared[];

// Counted in bytes, a place is the sum of a thread's and of the stage's, which
// all threads share: an instruction adds them by itself.
template <typename T>
__device__ __forceinline__ T &at(int byte)
{
    return *reinterpret_cast<T *>(reinterpret_cast<char *>(shared) + byte);
}

// Four neighbours of a row of A; zeros where there are no more columns.
__device__ __forceinline__ float4 load(const float *from, bool there)
{
    float4 v = {};

    if (there)
        v = *reinterpret_cast<const float4 *>(from);
    return v;
}

// A thread as a carrier of its fours of each tile: where they come from, and
// where they go in a stage. They are neighbours in a row; those of A pass
// through registers, since they are turned. Copied singly, they stand in a
// column.
struct carrier {
    const float *from_A[COPIES_A];
    const float *from_B;
    float held[COPIES_A][4];
    int further[COPIES_A * 4];  // singly, from the first to the others of A
    int a_col, b_row;
    int to_A, to_B;
};

// Begins with the next step's tiles: `depth` columns of A are there.
template <bool Aligned>
__device__ __forceinline__ void begin(carrier &self, int stage, int depth,
                                      int N)
{
    bool whole = depth == BK;

    for (int i = 0; i < COPIES_A && Aligned; ++i) {
        float4 v = load(self.from_A[i], whole || self.a_col < depth);

        self.held[i][0] = v.x;
        self.held[i][1] = v.y;
        self.held[i][2] = v.z;
        self.held[i][3] = v.w;
        self.from_A[i] += depth;
    }
    for (int i = 0; i < COPIES_A * 4 && !Aligned; ++i)
        __pipeline_memcpy_async(
            &at<float>(self.to_A + stage + i * STEP_A),
            self.from_A[0] + self.further[i], 4,
            whole || self.a_col < depth ? 0 : 4);
    if (!Aligned)
        self.from_A[0] += depth;
    for (int i = 0; i < (Aligned ? COPIES_B : COPIES_B * 4); ++i) {
        int row = i * (Aligned ? STEP_B : STEP_B / 4);
        const float *from = self.from_B + (size_t)row * N;
        int to = self.to_B + stage + row * 4 * BN;
        bool there = whole || self.b_row + row < depth;

        if (Aligned)
            __pipeline_memcpy_async(&at<float4>(to), from, 16,
                                    there ? 0 : 16);
        else
            __pipeline_memcpy_async(&at<float>(to), from, 4, there ? 0 : 4);
    }
    self.from_B += (size_t)depth * N;
}

// The nth columns of A that it holds become rows.
template <bool Aligned>
__device__ __forceinline__ void turn(const carrier &self, int stage, int n)
{
    for (int i = 0; i < COPIES_A; ++i)
        at<float>(self.to_A + stage + A_ROW(n) + i * STEP_A * 4) =
            self.held[i][n];
}

// What a thread needs of one k: 4 neighbours, and 4 more further on.
__device__ __forceinline__ void read(float (&v)[WORK], int from, int further)
{
    for (int i = 0; i < WORK; i += 4) {
        float4 u = at<const float4>(from + i / 4 * further);

        v[i + 0] = u.x;
        v[i + 1] = u.y;
        v[i + 2] = u.z;
        v[i + 3] = u.w;
    }
}

// Steps `from` to `to` of a tile.
struct piece {
    int tile, from, to;
};

// Each block computes as many tiles as all others. Those that are left, and as
// many more as there are blocks, are shared if that saves more than it costs:
// the steps of all of them, one tile after the other, are dealt out, `each` to
// a block, and one more to the first `more`.
struct shares {
    int first;          // of these tiles
    int each, more;
};

__device__ __forceinline__ shares share(int tiles, int steps)
{
    int blocks = gridDim.x;
    int left = tiles % blocks + (tiles > blocks ? blocks : 0);
    int rounds = (left + blocks - 1) / blocks;
    shares s = { tiles - left, left * steps / blocks, left * steps % blocks };

    if (blocks > SHARERS || rounds * steps - s.each <= SHARING)
        s = { tiles, 0, 0 };
    return s;
}

// The step of all shared ones that a block begins with, and the block that
// has a step.
__device__ __forceinline__ int begin_of(shares s, int block)
{
    return block * s.each + min(block, s.more);
}

__device__ __forceinline__ int block_of(shares s, int step)
{
    int block = step / (s.each + 1);

    return block < s.more ? block : (step - s.more) / s.each;
}

// The nth of this block, empty behind the last. Shared tiles come first, and of
// these the one that it begins, or goes on with, before the one that it ends,
// so that what it needs of others is there.
__device__ __forceinline__ piece piece_of(int n, shares s, int steps)
{
    int begin = begin_of(s, blockIdx.x);
    int end = begin_of(s, blockIdx.x + 1);
    int tile = (end - 1) / steps - n;
    int count = begin < end ? (end - 1) / steps - begin / steps + 1 : 0;

    if (n < count)
        return { s.first + tile, max(begin - tile * steps, 0),
                 min(end - tile * steps, steps) };
    tile = (n - count) * (int)gridDim.x + (int)blockIdx.x;
    return { tile, 0, tile < s.first ? steps : 0 };
}

// What a block has of a tile that another one ends, in fours of each thread's
// sums; and of each shared tile, how many steps such blocks have done.
__device__ float4 parts[SHARERS][WORK * WORK / 4][THREADS];
__device__ int steps_done[2 * SHARERS];

__device__ __forceinline__ void leave(const float (&c)[WORK][WORK], piece p,
                                      shares s)
{
    for (int i = 0; i < WORK; ++i)
        for (int j = 0; j < WORK; j += 4) {
            float4 v = make_float4(c[i][j], c[i][j + 1],
                                   c[i][j + 2], c[i][j + 3]);

            parts[blockIdx.x][(i * WORK + j) / 4][threadIdx.x] = v;
        }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&steps_done[p.tile - s.first], p.to - p.from);
}

// Adds what others have left, always in the same order.
__device__ __forceinline__ void take_over(float (&c)[WORK][WORK], piece p,
                                          shares s, int steps)
{
    int *done = &steps_done[p.tile - s.first];

    if (threadIdx.x == 0) {
        while (atomicAdd(done, 0) != p.from)
            ;
        atomicExch(done, 0);
    }
    __syncthreads();
    __threadfence();

    // As many at once as there are registers for.
    const int sums = WORK * WORK;
    const int at_once = (65536 / (THREADS * BLOCKS) - sums) / sums;

#pragma unroll at_once
    for (int block = block_of(s, (p.tile - s.first) * steps);
         block < (int)blockIdx.x; ++block)
        for (int i = 0; i < WORK; ++i)
            for (int j = 0; j < WORK; j += 4) {
                float4 v = __ldcg(&parts[block][(i * WORK + j) / 4]
                                        [threadIdx.x]);

                c[i][j + 0] += v.x;
                c[i][j + 1] += v.y;
                c[i][j + 2] += v.z;
                c[i][j + 3] += v.w;
            }
}

// A warp stores WM rows of OUT_COLUMNS sums, columns of which stand at `out`.
template <bool Aligned>
__device__ __forceinline__ void store(float *C, int out, int row0, int col0,
                                      int M, int N)
{
    const int wide = Aligned ? 4 : 1;   // neighbours that a lane stores
    const int lanes = OUT_COLUMNS / wide;    // side by side

    for (int n = threadIdx.x % 32; n < WM * lanes; n += 32) {
        int row = row0 + n / lanes;
        int col = col0 + n % lanes * wide;
        const float *from = &shared[out + n % lanes * wide * OUT_ROWS +
                                    n / lanes];

        if (row >= M || col >= N)
            continue;

        float *to = &C[(size_t)row * N + col];

        if (Aligned) {
            // Braces are read from left to right; arguments, in any order.
            float4 v = {from[0 * OUT_ROWS], from[1 * OUT_ROWS],
                        from[2 * OUT_ROWS], from[3 * OUT_ROWS]};

            *reinterpret_cast<float4 *>(to) = v;
        } else {
            *to = *from;
        }
    }
}

template <bool Aligned>
__device__ __forceinline__ void multiply(piece p, const float *A,
                                         const float *B, float *C,
                                         int M, int N, int K)
{
    // Tiles are numbered down a column of GROUP rows, then the next column.
    int rows = (M + BM - 1) / BM;
    int columns = (N + BN - 1) / BN;
    int first = p.tile / (GROUP * columns) * GROUP;
    int high = min(rows - first, GROUP);
    int row0 = (first + p.tile % (GROUP * columns) % high) * BM;
    int col0 = p.tile % (GROUP * columns) / high * BN;

    // The first step of a tile has `depth` columns of A, the others BK.
    int depth = K - (K - 1) / BK * BK;
    int k0 = p.from > 0 ? depth + (p.from - 1) * BK : 0;

    carrier self;
    int a_row = threadIdx.x / (Aligned ? BK / 4 : BK);
    int b_col = Aligned ? threadIdx.x % (BN / 4) * 4 : threadIdx.x % BN;
    int col = min(col0 + b_col, Aligned ? N - 4 : N - 1);

    self.a_col = Aligned ? threadIdx.x % (BK / 4) * 4 : threadIdx.x % BK;
    self.b_row = threadIdx.x / (Aligned ? BN / 4 : BN);
    self.to_A = A_ROW(self.a_col) + (a_row ^ 1) * 4;
    self.to_B = B_ROW(self.b_row) + b_col * 4;
    for (int i = 0; i < COPIES_A; ++i) {
        int row = min(row0 + a_row + i * STEP_A, M - 1);

        self.from_A[i] = &A[(size_t)row * K + k0 + self.a_col];
    }
    for (int i = 0; i < COPIES_A * 4 && !Aligned; ++i)
        self.further[i] = K * (min(row0 + a_row + i * STEP_A / 4, M - 1) -
                               min(row0 + a_row, M - 1));
    self.from_B = &B[(size_t)(k0 + self.b_row) * N + col];

    // As a worker. Lanes stand 8 x 4: bit 0 of their number makes neighbours
    // in a row, bit 1 in a column, so that each phase of a 16-byte read can
    // be served with the next.
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    int lane_row = (lane >> 1 & 1) | (lane >> 2 & 6);
    int lane_col = (lane & 1) | (lane >> 1 & 2);
    int warp_row = warp / (BN / WN) * WM;
    int warp_col = warp % (BN / WN) * WN;
    int at_A = (warp_row + lane_row * 4) * 4;
    int at_B = B_ROW(0) + (warp_col + lane_col * 4) * 4;

    float a[2][WORK];
    float b[2][WORK];
    float c[WORK][WORK] = {};

    int steps = p.to - p.from;

    begin<Aligned>(self, 0, p.from > 0 ? BK : depth, N);
    for (int n = 0; n < 4 && Aligned; ++n)
        turn<Aligned>(self, 0, n);
    __pipeline_commit();
    if (steps > 1)
        begin<Aligned>(self, STAGE, BK, N);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    read(a[0], at_A, 32 * 4);
    read(b[0], at_B, 16 * 4);

    int use = 0;
    int fill = STAGE;

    for (int t = 0; t < steps; ++t) {
        int next_fill = fill == 2 * STAGE ? 0 : fill + STAGE;

#pragma unroll
        for (int k = 0; k < BK; ++k) {
            // What was begun a step ago is there for the next one, and what
            // was read a step ago makes room. Behind the last step, nobody
            // reads what is stored and nobody uses what is read.
            if (Aligned && k > MEET - 4 && k <= MEET)
                turn<Aligned>(self, fill, k - MEET + 3);
            if (k == MEET) {
                __pipeline_wait_prior(0);
                __syncthreads();
                if (t + 2 < steps)
                    begin<Aligned>(self, next_fill, BK, N);
                __pipeline_commit();
            }
            if (k == BK - 1) {
                use = fill;
                fill = next_fill;
            }

            int next = (k + 1) % BK;

            read(a[next % 2], at_A + use + A_ROW(next), 32 * 4);
            read(b[next % 2], at_B + use + next * BN * 4, 16 * 4);

            // There and back, so that what was used last is used first.
            for (int j = 0; j < WORK; ++j)
                for (int n = 0; n < WORK; ++n) {
                    int i = j % 2 ? WORK - 1 - n : n;

                    c[i][j] += a[k % 2][i] * b[k % 2][j];
                }
        }
    }
    __syncthreads();

    int all = (K + BK - 1) / BK;

    if (p.to < all) {
        leave(c, p, share(rows * columns, all));
        return;
    }
    if (p.from > 0)
        take_over(c, p, share(rows * columns, all), all);

    // Some of a warp's columns at a time: sums of a column side by side, and
    // read across.
    int out = warp * OUT_COLUMNS * OUT_ROWS;

    for (int part = 0; part < WN / OUT_COLUMNS; ++part) {
        for (int j = 0; j < 4; ++j)
            for (int i = 0; i < WORK; i += 4) {
                int to = out + (lane_col * 4 + j) * OUT_ROWS +
                         i * 8 + lane_row * 4;
                int from = part * 4 + j;

                float4 v = make_float4(c[i + 1][from], c[i + 0][from],
                                       c[i + 3][from], c[i + 2][from]);

                *reinterpret_cast<float4 *>(&shared[to]) = v;
            }
        __syncwarp();
        store<Aligned>(C, out, row0 + warp_row,
                       col0 + warp_col + part * OUT_COLUMNS, M, N);
        __syncwarp();
    }
    __syncthreads();
}

template <bool Aligned>
__device__ __forceinline__ void multiply_all(const float *A, const float *B,
                                             float *C, int M, int N, int K)
{
    int tiles = (M + BM - 1) / BM * ((N + BN - 1) / BN);
    int steps = (K + BK - 1) / BK;

    for (int i = threadIdx.x; i < 3 * STAGE / 4; i += THREADS)
        shared[i] = 0;
    __syncthreads();
    for (int n = 0;; ++n) {
        piece p = piece_of(n, share(tiles, steps), steps);

        if (p.from == p.to)
            break;
        multiply<Aligned>(p, A, B, C, M, N, K);
    }
}

// A function of its own, so that what is rare costs the rest no registers.
__device__ __noinline__ void multiply_singly(const float *A, const float *B,
                                             float *C, int M, int N, int K)
{
    multiply_all<false>(A, B, C, M, N, K);
}

__global__ void __launch_bounds__(THREADS, BLOCKS)
sgemm(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (K % 4 == 0 && N % 4 == 0)
        multiply_all<true>(A, B, C, M, N, K);
    else
        multiply_singly(A, B, C, M, N, K);
}
