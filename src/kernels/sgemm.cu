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
//   others have begun (stream-K). Where that would be many others, all of them
//   leave what they have, and each adds up a part of the tile.
// - Blocks may start while the launch before this one ends, and wait for that
//   when they are set up.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major, dense and
// aligned to 16 bytes; sm_80 or newer; all blocks run at once. Any M, N, K:
// rows and columns beyond C are computed from whatever is there and not stored,
// and the step that K does not fill comes first, filled up with zeros, so
// that the loop checks nothing. Where K or N is no multiple of 4, elements
// are copied singly, those of A straight to where they stand transposed.

#include <cuda_pipeline_primitives.h>
#include <ptx.h>

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
#ifndef TM
#define TM 8        // rows and columns of C a thread computes: 8 or 4
#endif
#ifndef TN
#define TN 8
#endif
#ifndef LANES
#define LANES 8     // of a warp, below each other: 8 or 4, and 4 or 8 beside
#endif

#define WM (LANES * TM)     // rows and columns that a warp computes
#define WN (32 / LANES * TN)
#define THREADS (BM / WM * (BN / WN) * 32)
#define GROUP 8     // rows of tiles that are worked on together
#define MEET (BK / 2)   // the k of a step before which a block meets
#define SHARING 3   // steps that take as long as to share a tile
#define CROWD 5     // blocks of a tile from which on all of them add up
#define SHARERS ((1 << 23) / (BM * BN)) // blocks that may share tiles

// In bytes: a step's tiles in shared memory. That of A stands transposed.
// Behind four of its rows, which four lanes store at once, the next are moved
// on by some banks; behind each, where elements are copied singly. The tiles
// of three steps are there.
#define A_ROW(k) (4 * ((k) * BM + (Aligned ? (k) / 4 * (128 / BK) : (k) * 4)))
#define B_ROW(k) (A_ROW(BK) + 4 * (k) * BN)
#define STAGE B_ROW(BK)

// Rows of a tile that a block copies at once, and how often it does. Copied
// singly, a warp copies a row of B.
#define STEP_A (Aligned ? THREADS / (BK / 4) : THREADS / BK)
#define STEP_B (Aligned ? THREADS / (BN / 4) : THREADS / 32)
#define TIMES_A ((BM + STEP_A - 1) / STEP_A)
#define TIMES_B ((BK + STEP_B - 1) / STEP_B)

#define OUT_ROWS (WM + 4)   // of a column of sums on its way out
#define OUT_COLUMNS (4 * (32 / LANES))  // of a warp, at a time

extern __shared__ __align__(16) float shared[];

// Counted in bytes, a place is the sum of a thread's and of the stage's, which
// all threads share: an instruction adds them by itself.
template <typename T>
__device__ __forceinline__ T &at(int byte)
{
    return *reinterpret_cast<T *>(reinterpret_cast<char *>(shared) + byte);
}

// Whether the ith row that a thread copies, which begins with `row`, is one of
// the tile's.
__device__ __forceinline__ bool within(int row, int i, int step, int rows)
{
    return (i + 1) * step <= rows || row + i * step < rows;
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
// column, and those of B every 32 columns.
template <bool Aligned>
struct carrier {
    const float *from_A[Aligned ? TIMES_A : 1];
    const float *from_B;
    float held[Aligned ? TIMES_A : 1][4];
    int below[Aligned ? 1 : TIMES_A];   // singly, from the first to others of A
    int columns;    // of B that there are, from its first on
    int a_row, a_col, b_row;
    int to_A, to_B;
};

// Begins with the next step's tiles: `depth` columns of A are there.
template <bool Aligned>
__device__ __forceinline__ void begin(carrier<Aligned> &self, int stage,
                                      int depth, int N)
{
    bool whole = depth == BK;

    for (int i = 0; i < TIMES_A && Aligned; ++i) {
        bool mine = within(self.a_row, i, STEP_A, BM);
        float4 v = load(self.from_A[i],
                        mine && (whole || self.a_col < depth));

        self.held[i][0] = v.x;
        self.held[i][1] = v.y;
        self.held[i][2] = v.z;
        self.held[i][3] = v.w;
        self.from_A[i] += depth;
    }
    for (int i = 0; i < TIMES_A && !Aligned; ++i)
        if (within(self.a_row, i, STEP_A, BM))
            __pipeline_memcpy_async(
                &at<float>(self.to_A + stage + i * STEP_A * 4),
                self.from_A[0] + self.below[i], 4,
                whole || self.a_col < depth ? 0 : 4);
    if (!Aligned)
        self.from_A[0] += depth;
    for (int i = 0; i < TIMES_B; ++i) {
        int row = i * STEP_B;
        const float *from = self.from_B + (size_t)row * N;
        int to = self.to_B + stage + row * 4 * BN;
        bool there = whole || self.b_row + row < depth;

        if (!within(self.b_row, i, STEP_B, BK))
            continue;
        if (Aligned)
            __pipeline_memcpy_async(&at<float4>(to), from, 16,
                                    there ? 0 : 16);
        for (int j = 0; j < BN / 32 && !Aligned; ++j)
            if (j * 32 < self.columns)
                __pipeline_memcpy_async(&at<float>(to + j * 32 * 4),
                                        from + j * 32, 4, there ? 0 : 4);
    }
    self.from_B += (size_t)depth * N;
}

// The nth columns of A that it holds become rows.
template <bool Aligned>
__device__ __forceinline__ void turn(const carrier<Aligned> &self, int stage,
                                     int n)
{
    for (int i = 0; i < TIMES_A; ++i)
        if (within(self.a_row, i, STEP_A, BM))
            at<float>(self.to_A + stage + A_ROW(n) + i * STEP_A * 4) =
                self.held[i][n];
}

// What a thread needs of one k: 4 neighbours, and 4 more further on.
template <int Count>
__device__ __forceinline__ void read(float (&v)[Count], int from, int further)
{
    for (int i = 0; i < Count; i += 4) {
        float4 u = at<const float4>(from + i / 4 * further);

        v[i + 0] = u.x;
        v[i + 1] = u.y;
        v[i + 2] = u.z;
        v[i + 3] = u.w;
    }
}

// A lane as a worker: its first row and column of what its warp computes.
// Neighbours by bit 0 of its number are beside each other where lanes stand
// 8 x 4 and below each other where they stand 4 x 8, those by bit 1 the other
// way round, so that each phase of a 16-byte read can be served with the next.
__device__ __forceinline__ int lane_row(int lane)
{
    return LANES == 8 ? ((lane >> 1 & 1) | (lane >> 2 & 6)) * 4
                      : ((lane & 1) | (lane >> 1 & 2)) * 4;
}

__device__ __forceinline__ int lane_col(int lane)
{
    return LANES == 8 ? ((lane & 1) | (lane >> 1 & 2)) * 4
                      : ((lane >> 1 & 1) | (lane >> 2 & 6)) * 4;
}

// And a warp's, of a tile.
__device__ __forceinline__ int warp_row(int warp)
{
    return warp / (BN / WN) * WM;
}

__device__ __forceinline__ int warp_col(int warp)
{
    return warp % (BN / WN) * WN;
}

// Where a tile begins. Tiles are numbered down a column of GROUP rows, then the
// next column.
__device__ __forceinline__ int row_of(int tile, int M, int N)
{
    int rows = (M + BM - 1) / BM;
    int columns = (N + BN - 1) / BN;
    int first = tile / (GROUP * columns) * GROUP;

    return (first + tile % (GROUP * columns) % min(rows - first, GROUP)) * BM;
}

__device__ __forceinline__ int col_of(int tile, int M, int N)
{
    int rows = (M + BM - 1) / BM;
    int columns = (N + BN - 1) / BN;
    int first = tile / (GROUP * columns) * GROUP;

    return tile % (GROUP * columns) / min(rows - first, GROUP) * BN;
}

// Steps `from` to `to` of a tile.
struct piece {
    int tile, from, to;
};

// Each block computes as many tiles as all others. Those that are left are
// shared if that saves more than it costs: where they are few, `crowd` blocks
// have a part of each, and all add up. Else as many more as there are blocks
// are shared with them: the steps of all of these, one tile after the other,
// are dealt out, `each` to a block, and one more to the first `more`.
struct shares {
    int first, count;   // of these tiles
    int crowd;          // or 0
    int each, more;
};

__device__ __forceinline__ shares share(int tiles, int steps)
{
    int blocks = gridDim.x;
    int left = tiles % blocks;
    int crowd = left > 0 ? min(blocks / left, steps) : 0;

    if (crowd >= CROWD && steps - steps / crowd > SHARING && blocks <= SHARERS)
        return { tiles - left, left, crowd, 0, 0 };
    left += tiles > blocks ? blocks : 0;

    int rounds = (left + blocks - 1) / blocks;
    int each = left * steps / blocks;

    if (blocks > SHARERS || rounds * steps - each <= SHARING)
        return { tiles, 0, 0, 0, 0 };
    return { tiles - left, left, 0, each, left * steps % blocks };
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
__device__ __forceinline__ piece piece_of(int n, const shares &s, int steps)
{
    int block = blockIdx.x;
    int count, tile;

    if (s.crowd > 0) {
        int part = block % s.crowd;

        tile = block / s.crowd;
        count = tile < s.count;
        if (n < count)
            return { s.first + tile, part * steps / s.crowd,
                     (part + 1) * steps / s.crowd };
    } else {
        int begin = begin_of(s, block);
        int end = begin_of(s, block + 1);

        tile = (end - 1) / steps - n;
        count = begin < end ? (end - 1) / steps - begin / steps + 1 : 0;
        if (n < count)
            return { s.first + tile, max(begin - tile * steps, 0),
                     min(end - tile * steps, steps) };
    }
    tile = (n - count) * (int)gridDim.x + block;
    return { tile, 0, tile < s.first ? steps : 0 };
}

// What a block has of a tile that another one ends, in fours of each thread's
// sums; and of each shared tile, how many steps such blocks have done.
__device__ float4 parts[SHARERS][TM * TN / 4][THREADS];
__device__ int steps_done[2 * SHARERS];

__device__ __forceinline__ void leave(const float (&c)[TM][TN], int tile,
                                      int steps)
{
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; j += 4) {
            float4 v = make_float4(c[i][j], c[i][j + 1],
                                   c[i][j + 2], c[i][j + 3]);

            parts[blockIdx.x][(i * TN + j) / 4][threadIdx.x] = v;
        }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&steps_done[tile], steps);
}

// Adds what others have left, always in the same order.
__device__ __forceinline__ void take_over(float (&c)[TM][TN], piece p,
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
    const int sums = TM * TN;
    const int at_once = (65536 / (THREADS * BLOCKS) - sums) / sums;

#pragma unroll at_once
    for (int block = block_of(s, (p.tile - s.first) * steps);
         block < (int)blockIdx.x; ++block)
        for (int i = 0; i < TM; ++i)
            for (int j = 0; j < TN; j += 4) {
                float4 v = __ldcg(&parts[block][(i * TN + j) / 4]
                                        [threadIdx.x]);

                c[i][j + 0] += v.x;
                c[i][j + 1] += v.y;
                c[i][j + 2] += v.z;
                c[i][j + 3] += v.w;
            }
}

// Adds up a share of a tile that a crowd has left, and stores it.
template <bool Aligned>
__device__ __forceinline__ void add_up(float *C, int tile, int blocks,
                                       int steps, int row0, int col0, int M,
                                       int N)
{
    const int sums = TM * TN / 4 * THREADS; // fours
    int *done = &steps_done[tile];
    int part = (int)blockIdx.x % blocks;

    if (threadIdx.x == 0)
        while (atomicAdd(done, 0) < steps)
            ;
    __syncthreads();
    __threadfence();
    for (int n = part * sums / blocks + threadIdx.x;
         n < (part + 1) * sums / blocks; n += THREADS) {
        int i = n / THREADS / (TN / 4);
        int j = n / THREADS % (TN / 4);
        int warp = n % THREADS / 32;
        int row = row0 + warp_row(warp) + lane_row(n % 32) +
                  i / 4 * LANES * 4 + (i % 4 ^ 1);
        int col = col0 + warp_col(warp) + lane_col(n % 32) + j * OUT_COLUMNS;
        float4 sum = {};

#pragma unroll 8
        for (int b = 0; b < blocks; ++b) {
            float4 v = __ldcg(&parts[tile * blocks + b][n / THREADS]
                                    [n % THREADS]);

            sum.x += v.x;
            sum.y += v.y;
            sum.z += v.z;
            sum.w += v.w;
        }
        float *to = &C[(size_t)row * N + col];

        if (row < M && col < N && Aligned)
            *reinterpret_cast<float4 *>(to) = sum;
        if (row < M && col + 0 < N && !Aligned)
            to[0] = sum.x;
        if (row < M && col + 1 < N && !Aligned)
            to[1] = sum.y;
        if (row < M && col + 2 < N && !Aligned)
            to[2] = sum.z;
        if (row < M && col + 3 < N && !Aligned)
            to[3] = sum.w;
    }
    // Whoever is done last leaves it as it was.
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(done, 1) == steps + blocks - 1)
        atomicExch(done, 0);
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
__device__ __forceinline__ void multiply(const piece &p, const shares &s,
                                         const float *A, const float *B,
                                         float *C, int M, int N, int K)
{
    int row0 = row_of(p.tile, M, N);
    int col0 = col_of(p.tile, M, N);

    // The first step of a tile has `depth` columns of A, the others BK.
    int depth = K - (K - 1) / BK * BK;
    int k0 = p.from > 0 ? depth + (p.from - 1) * BK : 0;

    carrier<Aligned> self;
    int b_col = Aligned ? threadIdx.x % (BN / 4) * 4 : threadIdx.x % 32;
    int col = min(col0 + b_col, Aligned ? N - 4 : N - 1);

    self.a_row = threadIdx.x / (Aligned ? BK / 4 : BK);
    self.a_col = Aligned ? threadIdx.x % (BK / 4) * 4 : threadIdx.x % BK;
    self.b_row = threadIdx.x / (Aligned ? BN / 4 : 32);
    self.to_A = A_ROW(self.a_col) + (self.a_row ^ 1) * 4;
    self.to_B = B_ROW(self.b_row) + b_col * 4;
    for (int i = 0; i < (Aligned ? TIMES_A : 1); ++i) {
        int row = min(row0 + self.a_row + i * STEP_A, M - 1);

        self.from_A[i] = &A[(size_t)row * K + k0 + self.a_col];
    }
    for (int i = 0; i < TIMES_A && !Aligned; ++i)
        self.below[i] = K * (min(row0 + self.a_row + i * STEP_A, M - 1) -
                             min(row0 + self.a_row, M - 1));
    self.from_B = &B[(size_t)(k0 + self.b_row) * N + col];
    // Others are not copied: many copies of one element take as many turns.
    self.columns = N - col0 - b_col;

    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    int at_A = (warp_row(warp) + lane_row(lane)) * 4;
    int at_B = B_ROW(0) + (warp_col(warp) + lane_col(lane)) * 4;

    float a[2][TM];
    float b[2][TN];
    float c[TM][TN] = {};

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
    read(a[0], at_A, LANES * 16);
    read(b[0], at_B, OUT_COLUMNS * 4);

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

            read(a[next % 2], at_A + use + A_ROW(next), LANES * 16);
            read(b[next % 2], at_B + use + next * BN * 4,
                 OUT_COLUMNS * 4);

            // There and back, so that what was used last is used first.
            for (int j = 0; j < TN; ++j)
                for (int n = 0; n < TM; ++n) {
                    int i = j % 2 ? TM - 1 - n : n;

                    c[i][j] += a[k % 2][i] * b[k % 2][j];
                }
        }
    }
    __syncthreads();

    // Read and worked out again, for the sums fill the registers meanwhile.
    int all = (K + BK - 1) / BK;

    row0 = row_of(p.tile, M, N);
    col0 = col_of(p.tile, M, N);

    bool crowd = s.crowd > 0 && p.tile >= s.first;

    // Once for both: stored as fours in two places, sums would lie in the same
    // register bank as what is added to them.
    if (crowd || p.to < all) {
        leave(c, p.tile - s.first, p.to - p.from);
        if (crowd)
            add_up<Aligned>(C, p.tile - s.first, s.crowd, all, row0, col0, M,
                            N);
        return;
    }
    if (p.from > 0)
        take_over(c, p, s, all);

    // Some of a warp's columns at a time: sums of a column side by side, and
    // read across.
    int out = warp * OUT_COLUMNS * OUT_ROWS;

    for (int part = 0; part < TN / 4; ++part) {
        for (int j = 0; j < 4; ++j)
            for (int i = 0; i < TM; i += 4) {
                int to = out + (lane_col(lane) + j) * OUT_ROWS +
                         i * LANES + lane_row(lane);
                int from = part * 4 + j;

                float4 v = make_float4(c[i + 1][from], c[i + 0][from],
                                       c[i + 3][from], c[i + 2][from]);

                *reinterpret_cast<float4 *>(&shared[to]) = v;
            }
        __syncwarp();
        store<Aligned>(C, out, row0 + warp_row(warp),
                       col0 + warp_col(warp) + part * OUT_COLUMNS, M, N);
        __syncwarp();
    }
    __syncthreads();
}

template <bool Aligned>
__device__ __forceinline__ void multiply_all(const float *A, const float *B,
                                             float *C, int M, int N, int K)
{
    __shared__ shares dealt;
    __shared__ piece now;

    int tiles = (M + BM - 1) / BM * ((N + BN - 1) / BN);
    int steps = (K + BK - 1) / BK;

    if (threadIdx.x == 0)
        dealt = share(tiles, steps);
    for (int i = threadIdx.x; i < 3 * STAGE / 4; i += THREADS)
        shared[i] = 0;
    griddepcontrol_wait();
    for (int n = 0;; ++n) {
        if (threadIdx.x == 0)
            now = piece_of(n, dealt, steps);
        __syncthreads();
        if (now.from == now.to)
            break;
        multiply<Aligned>(now, dealt, A, B, C, M, N, K);
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
