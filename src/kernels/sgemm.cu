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
// - There are as many blocks as run at once. Each computes as many tiles as
//   all others, and of those that are left, as many steps: a block begins
//   what the next one ends (stream-K). None is idle while others work, and
//   they do not all store at the same time.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major, dense and
// aligned to 16 bytes; sm_80 or newer; all blocks run at once, or start in
// order. Any M, N, K: rows and columns beyond C are computed from its last
// ones and not stored, and the step that K does not fill comes first, filled
// up with zeros, so that the loop checks nothing. Where K or N is no
// multiple of 4, elements are copied singly.

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

#define WORK 8      // rows and columns of C a thread computes
#define WM 64       // and a warp of 8 x 4 lanes
#define WN 32
#define THREADS (BM / WM * (BN / WN) * 32)
#define GROUP 8     // rows of tiles that are worked on together
#define MEET (BK / 2)   // the k of a step before which a block meets
#define HAND_ON 6   // steps that take as long as to hand a tile on

// In bytes: a step's tiles in shared memory. That of A stands transposed.
// Behind four of its rows, which four lanes store at once, the next are moved
// on by some banks. The tiles of three steps are there.
#define A_ROW(k) (4 * ((k) * BM + (k) / 4 * (128 / BK)))
#define B_ROW(k) (A_ROW(BK) + 4 * (k) * BN)
#define STAGE B_ROW(BK)

// Float4s of a tile that a thread copies, and the rows between two of them.
#define COPIES_A (BM * BK / 4 / THREADS)
#define COPIES_B (BN * BK / 4 / THREADS)
#define STEP_A (THREADS / (BK / 4))
#define STEP_B (THREADS / (BN / 4))

#define OUT_ROWS (WM + 4)   // of a column of sums on its way out

extern __shared__ __align__(16) float shared[];

// Counted in bytes, a place is the sum of a thread's and of the stage's, which
// all threads share: an instruction adds them by itself.
template <typename T>
__device__ __forceinline__ T &at(int byte)
{
    return *reinterpret_cast<T *>(reinterpret_cast<char *>(shared) + byte);
}

// Four neighbours of a row, singly where rows are not aligned; zeros but for
// the first `some`.
template <bool Aligned>
__device__ __forceinline__ float4 load(const float *from, int some)
{
    float4 v;

    if (Aligned && some >= 4) {
        v = *reinterpret_cast<const float4 *>(from);
    } else {
        v.x = some > 0 ? from[0] : 0;
        v.y = some > 1 ? from[1] : 0;
        v.z = some > 2 ? from[2] : 0;
        v.w = some > 3 ? from[3] : 0;
    }
    return v;
}

// Four to shared memory, or zeros; singly, they end with the `last` and the
// rest repeats it.
template <bool Aligned>
__device__ __forceinline__ void copy(int to, const float *from, int last,
                                     bool there)
{
    if (Aligned)
        __pipeline_memcpy_async(&at<float4>(to), from, 16, there ? 0 : 16);
    else
        for (int i = 0; i < 4; ++i)
            __pipeline_memcpy_async(&at<float>(to + 4 * i),
                                    from + min(i, last), 4, there ? 0 : 4);
}

// A thread as a carrier of its float4s of each tile: where they come from,
// and where they go in a stage. Those of A pass through registers, since
// they are turned.
struct carrier {
    const float *from_A[COPIES_A];
    const float *from_B;
    float held[COPIES_A][4];
    int a_col, b_row, last;
    int to_A, to_B;
};

// Begins with the next step's tiles: `depth` columns of A are there.
template <bool Aligned>
__device__ __forceinline__ void begin(carrier &self, int stage, int depth,
                                      int N)
{
    bool whole = depth == BK;

    for (int i = 0; i < COPIES_A; ++i) {
        float4 v = load<Aligned>(self.from_A[i],
                                 whole ? 4 : depth - self.a_col);

        self.held[i][0] = v.x;
        self.held[i][1] = v.y;
        self.held[i][2] = v.z;
        self.held[i][3] = v.w;
        self.from_A[i] += depth;
    }
    for (int i = 0; i < COPIES_B; ++i)
        copy<Aligned>(self.to_B + stage + i * STEP_B * 4 * BN,
                      self.from_B + (size_t)(i * STEP_B) * N, self.last,
                      whole || self.b_row + i * STEP_B < depth);
    self.from_B += (size_t)depth * N;
}

// The nth columns of A that it holds become rows.
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

// Of a tile that blocks share, the steps whose products are in C.
__device__ int steps_done[4096];

__device__ __forceinline__ void take_over(piece p)
{
    if (threadIdx.x == 0)
        while (atomicAdd(&steps_done[p.tile % gridDim.x], 0) != p.from)
            ;
    __syncthreads();
    __threadfence();
}

// After the last of its steps the tile is done, and nobody waits for it.
__device__ __forceinline__ void hand_on(piece p, int steps)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicExch(&steps_done[p.tile % gridDim.x],
                   p.to < steps ? p.to : 0);
}

// The nth of this block. Tiles that are no multiple of the blocks are left. To
// share them must save more than it costs; then a block does its part of its
// last one first, which it begins or goes on with, and its part of the one
// before, which it ends, after all others.
__device__ __forceinline__ piece piece_of(int n, int tiles, int steps)
{
    int blocks = gridDim.x;
    long long left = (long long)(tiles % blocks) * steps;
    bool shared_out = steps - left / blocks > HAND_ON;
    int rounds = tiles / blocks + !shared_out;

    left = shared_out ? left : 0;

    int begin = (int)(left * blockIdx.x / blocks);
    int end = (int)(left * (blockIdx.x + 1) / blocks);
    int last = max(end - 1, 0) / steps;
    int tile = begin / steps;

    if (n > 0 && n <= rounds) {
        tile = (n - 1) * blocks + (int)blockIdx.x;
        return { tile, 0, tile < tiles ? steps : 0 };
    }
    if (n == 0)
        return { rounds * blocks + last, max(begin - last * steps, 0),
                 end - last * steps };
    return { rounds * blocks + tile, begin - tile * steps,
             tile < last ? steps : begin - tile * steps };
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
    int a_row = threadIdx.x / (BK / 4);
    int b_col = threadIdx.x % (BN / 4) * 4;

    self.a_col = threadIdx.x % (BK / 4) * 4;
    self.b_row = threadIdx.x / (BN / 4);
    self.last = max(N - 1 - (col0 + b_col), 0);
    self.to_A = A_ROW(self.a_col) + (a_row ^ 1) * 4;
    self.to_B = B_ROW(self.b_row) + b_col * 4;
    for (int i = 0; i < COPIES_A; ++i) {
        int row = min(row0 + a_row + i * STEP_A, M - 1);

        self.from_A[i] = &A[(size_t)row * K + k0 + self.a_col];
    }
    self.from_B = &B[(size_t)(k0 + self.b_row) * N +
                     min(col0 + b_col, Aligned ? N - 4 : N - 1)];

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
    for (int n = 0; n < 4; ++n)
        turn(self, 0, n);
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
            if (k > MEET - 4 && k <= MEET)
                turn(self, fill, k - MEET + 3);
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

    // What another block began is in C.
    if (p.from > 0)
        take_over(p);

    // Half of a warp's columns at a time: sums of a column side by side, and
    // read across.
    int out = warp * (WN / 2) * OUT_ROWS;

    for (int half = 0; half < 2; ++half) {
        for (int j = 0; j < 4; ++j)
            for (int i = 0; i < WORK; i += 4) {
                int to = out + (lane_col * 4 + j) * OUT_ROWS +
                         i * 8 + lane_row * 4;
                int from = half * 4 + j;

                *reinterpret_cast<float4 *>(&shared[to]) =
                    make_float4(c[i + 1][from], c[i + 0][from],
                                c[i + 3][from], c[i + 2][from]);
            }
        __syncwarp();
        for (int n = lane; n < WM * WN / 2 / 4; n += 32) {
            int row = row0 + warp_row + n / (WN / 2 / 4);
            int col = col0 + warp_col + half * (WN / 2) +
                      n % (WN / 2 / 4) * 4;
            int from = out + n % (WN / 2 / 4) * 4 * OUT_ROWS +
                       n / (WN / 2 / 4);

            if (row >= M || col >= N)
                continue;

            float *to = &C[(size_t)row * N + col];

            if (Aligned) {
                float4 v;

                v.x = shared[from + 0 * OUT_ROWS];
                v.y = shared[from + 1 * OUT_ROWS];
                v.z = shared[from + 2 * OUT_ROWS];
                v.w = shared[from + 3 * OUT_ROWS];
                if (p.from > 0) {
                    float4 u = __ldcg(reinterpret_cast<float4 *>(to));

                    v = make_float4(u.x + v.x, u.y + v.y,
                                    u.z + v.z, u.w + v.w);
                }
                *reinterpret_cast<float4 *>(to) = v;
            } else {
                for (int i = 0; i < min(4, N - col); ++i)
                    to[i] = shared[from + i * OUT_ROWS] +
                            (p.from > 0 ? __ldcg(&to[i]) : 0);
            }
        }
        __syncwarp();
    }
    __syncthreads();

    if (steps < (K + BK - 1) / BK)
        hand_on(p, (K + BK - 1) / BK);
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
    for (int n = 0; n < tiles / (int)gridDim.x + 2; ++n) {
        piece p = piece_of(n, tiles, steps);

        if (p.from < p.to)
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
