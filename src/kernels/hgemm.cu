// hgemm: tensor cores that never wait.
//
// Idea: tma_pipeline, and what is left between it and the chip's limit. The
// grid is persistent: a block computes one tile of C after the other, and
// while the consumers bring out the sums of one, the producer fetches for
// the next. Two blocks, a cluster, compute tiles below each other, which
// need the same tile of B: each fetches half of it, for both at once
// (multicast). So may blocks beside each other, with A's. The order of the
// tiles keeps those that run at the same time in a square, so that they meet
// in the L2 cache. The producer gives most of its registers to the
// consumers, which hold 128 sums a thread; these leave through shared
// memory, a part after the other, by TMA. Where tiles are no multiple of the
// clusters, some are shared: their steps are dealt out so that each cluster
// has as many, and a cluster ends what others have begun (stream-K). Where
// there are few tiles and many steps, blocks of a cluster share the steps of
// a tile, and store their sums in each other's shared memory. Blocks may start
// while the launch before this one ends: all that touches no matrix is done
// before they wait for that. Large clusters take longest to start, so theirs
// may do so as soon as all of this launch have.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense;
// sm_90a; all clusters run at once, or start in order. The launcher checks
// that N and K are multiples of 8, since TMA needs rows that begin at
// multiples of 16 bytes, and that there are steps for all, and refuses the
// launch in words otherwise. Any M: what lies outside a matrix reads as zeros
// and is not written.

#include <ptx.h>

#ifndef EXPONENT
#define EXPONENT 5  // bits: 5 of half, 8 of bfloat16
#endif
#ifndef WIDTH
#define WIDTH 64    // columns of a slab: 64, or 32 (see consume())
#endif
#ifndef SLABS
#define SLABS 2     // WIDTH columns of C each, that a block computes
#endif
#ifndef BM
#define BM 256      // rows of C a block computes
#endif
#ifndef STAGES
#define STAGES 4    // tiles of A and B on their way
#endif
#ifndef CLUSTER
#define CLUSTER 2   // blocks below each other that share tiles of B
#endif
#ifndef BESIDE
#define BESIDE 1    // blocks beside each other that share tiles of A
#endif
#ifndef DEEP
#define DEEP 1      // blocks that share the steps of a tile of C
#endif
#ifndef CONSUMERS
#define CONSUMERS 2 // warpgroups that multiply
#endif
#ifndef GROUP
#define GROUP 8     // rows of tiles that are worked on together
#endif

#if EXPONENT == 8
typedef __nv_bfloat16 real;
#define REAL2(x, y) __floats2bfloat162_rn(x, y)
#else
typedef half real;
#define REAL2(x, y) __floats2half2_rn(x, y)
#endif

#define BK 64                        // a row of a swizzled tile, 128 bytes
#define BN (WIDTH * SLABS)           // columns of C a block computes
#define UPRIGHT (WIDTH < 64)         // C's rows are wgmma's, too
#define TEAM (CLUSTER * BESIDE)      // blocks that fetch for each other
#define TOGETHER (TEAM * DEEP)       // blocks of a cluster
#define THREADS (128 * (1 + CONSUMERS))
#define SHARING 8                    // steps that sharing a tile costs
#define SHARERS ((1 << 23) / (BM * BN))  // blocks that may share tiles

// Consumers stand beside each other if they can have as many slabs each, else
// below each other.
#define ACROSS (!UPRIGHT && SLABS % CONSUMERS == 0 ? CONSUMERS : 1)
#define MINE (SLABS / ACROSS)        // a consumer's slabs
#define ROWS (BM / (CONSUMERS / ACROSS)) // and its rows of C

// Its products by wgmma, of 64 times EIGHTS eights: of a slab and all its rows
// or, upright, of 64 rows and all its columns.
#define PRODUCTS (UPRIGHT ? ROWS / 64 : MINE)
#define EIGHTS ((UPRIGHT ? BN : ROWS) / 8)

// Rows of a slab of C that leave at once: two parts are on their way, or one
// that is large.
__host__ __device__ constexpr int leaving(int rows, int most, int least)
{
    for (int n = most; n >= least; n -= 8)
        if (rows % n == 0)
            return n;
    return least > 8 ? leaving(rows, 128, 8) : 8;
}
#define OUT (DEEP > 1 ? ROWS / DEEP : UPRIGHT ? 64 : leaving(ROWS, 64, 32))
#define PLACES (DEEP > 1 ? MINE : OUT > 64 ? 1 : 2)
#define PART ((UPRIGHT ? WIDTH : OUT) / 8) // its eights of a product

struct tiles {
    real A[STAGES][BM][BK];
    real B[STAGES][SLABS][BK][WIDTH];
    real out[CONSUMERS][PLACES][OUT][WIDTH]; // a part of C on its way out
#if DEEP > 1
    float4 sums[DEEP]                // what each block has of its rows
               [CONSUMERS][MINE][OUT / 8][128];
#endif
    mbarrier full[STAGES];           // its tiles have come
    mbarrier empty[STAGES];          // they have been used, in all blocks
};

typedef tensor_map<real, OUT, WIDTH, 2 * WIDTH> map_of_C;

// Blocks that share a multiprocessor, of whose 228 KB each takes one more.
#define BLOCKS (CONSUMERS == 1 && sizeof(tiles) <= 113 * 1024 ? 2 : 1)

// Where in its cluster a block is: a team computes tiles beside and below each
// other, and the teams behind it have other steps of the same. They are
// numbered down a team's columns.
__device__ __forceinline__ int seat_depth()
{
    return blockIdx.x / TEAM % DEEP;
}

__device__ __forceinline__ int seat()
{
    return cluster_ctarank() - seat_depth() * TEAM;
}

__device__ __forceinline__ int seat_row()
{
    return seat() % CLUSTER;
}

__device__ __forceinline__ int seat_column()
{
    return seat() / CLUSTER;
}

// Where in C tile number `tile` is: tiles are numbered down GROUP rows, then
// the next column.
__device__ __forceinline__ void place(int tile, int M, int N,
                                      int *row, int *col)
{
    int rows = (M + CLUSTER * BM - 1) / (CLUSTER * BM);
    int columns = (N + BESIDE * BN - 1) / (BESIDE * BN);
    int first = tile / (GROUP * columns) * GROUP;
    int high = min(rows - first, GROUP);
    int inside = tile % (GROUP * columns);

    *row = ((first + inside % high) * CLUSTER + seat_row()) * BM;
    *col = (inside / high * BESIDE + seat_column()) * BN;
}

// Steps `from` to `to` of a tile.
struct piece {
    int tile, from, to;
};

// Each cluster computes as many tiles as all others. Those that are left, and
// as many more as there are clusters, are shared if that saves more than it
// costs: the steps of all of them, one tile after the other, are dealt out,
// `each` to a cluster, and one more to the first `more`.
struct shares {
    int first;                       // of these tiles
    int each, more;
};

__device__ __forceinline__ shares share(int tiles, int steps)
{
    int clusters = gridDim.x / TOGETHER;
    int left = tiles % clusters + (tiles > clusters ? clusters : 0);
    int rounds = (left + clusters - 1) / clusters;
    shares s = { tiles - left, left * steps / clusters,
                 left * steps % clusters };

    if (DEEP > 1 || gridDim.x > SHARERS || rounds * steps - s.each <= SHARING)
        s = { tiles, 0, 0 };
    return s;
}

// The step of all shared ones that a cluster begins with, and the cluster
// that has a step.
__device__ __forceinline__ int begin_of(shares s, int cluster)
{
    return cluster * s.each + min(cluster, s.more);
}

__device__ __forceinline__ int cluster_of(shares s, int step)
{
    int cluster = step / (s.each + 1);

    return cluster < s.more ? cluster : (step - s.more) / s.each;
}

// The nth of this cluster, empty behind the last. Shared tiles come first, and
// of these the one that it begins, or goes on with, before the one that it
// ends, so that what it needs of others is there.
__device__ __forceinline__ piece piece_of(int n, shares s, int steps)
{
    int me = blockIdx.x / TOGETHER;
    int begin = begin_of(s, me);
    int end = begin_of(s, me + 1);
    int tile = (end - 1) / steps - n;
    int count = begin < end ? (end - 1) / steps - begin / steps + 1 : 0;

    if (n < count)
        return { s.first + tile, max(begin - tile * steps, 0),
                 min(end - tile * steps, steps) };
    tile = (n - count) * (int)(gridDim.x / TOGETHER) + me;
    begin = steps * seat_depth() / DEEP;
    end = tile < s.first ? steps * (seat_depth() + 1) / DEEP : begin;
    return { tile, begin, end };
}

// What a block has of a tile that another one ends, in fours of each thread's
// sums; and of each shared tile, how many steps such blocks have done.
__device__ float4 parts[SHARERS][CONSUMERS][PRODUCTS * EIGHTS][128];
__device__ int steps_done[2 * SHARERS][TOGETHER][CONSUMERS];

__device__ __forceinline__ void
leave(const float (&d)[PRODUCTS][EIGHTS][4], int me, piece p, shares s)
{
    int t = threadIdx.x % 128;

    for (int i = 0; i < PRODUCTS; ++i)
        for (int j = 0; j < EIGHTS; ++j)
            parts[blockIdx.x][me][i * EIGHTS + j][t] = make_float4(
                d[i][j][0], d[i][j][1], d[i][j][2], d[i][j][3]);
    __threadfence();
    bar_sync(1 + me, 128);
    if (t == 0)
        atomicAdd(&steps_done[p.tile - s.first][cluster_ctarank()][me],
                  p.to - p.from);
}

// Adds what others have left, always in the same order.
__device__ __forceinline__ void
take_over(float (&d)[PRODUCTS][EIGHTS][4], int me, piece p, shares s,
          int steps)
{
    int t = threadIdx.x % 128;
    int rank = cluster_ctarank();
    int *done = &steps_done[p.tile - s.first][rank][me];

    if (t == 0) {
        while (atomicAdd(done, 0) != p.from)
            ;
        atomicExch(done, 0);
    }
    bar_sync(1 + me, 128);
    __threadfence();

    // As many at once as there are registers for.
    const int mine = PRODUCTS * EIGHTS;
    const int at_once = mine < 32 ? 32 / mine : 1;

#pragma unroll at_once
    for (int block = cluster_of(s, (p.tile - s.first) * steps) * TOGETHER +
                     rank; block < (int)blockIdx.x; block += TOGETHER)
        for (int i = 0; i < PRODUCTS; ++i)
            for (int j = 0; j < EIGHTS; ++j) {
                float4 v = __ldcg(&parts[block][me][i * EIGHTS + j][t]);

                d[i][j][0] += v.x;
                d[i][j][1] += v.y;
                d[i][j][2] += v.z;
                d[i][j][3] += v.w;
            }
}

// All threads of the cluster wait for each other.
__device__ __forceinline__ void meet()
{
    cluster_arrive();
    cluster_wait();
}

__device__ __forceinline__ unsigned rounded(float x, float y)
{
    auto pair = REAL2(x, y);

    return *reinterpret_cast<unsigned *>(&pair);
}

// The nth 8 rows of a part on its way out: a thread has of a column what
// stands below each other, and it is to stand in rows. Its warp has 16 columns.
__device__ __forceinline__ void
store_rows(real (*out)[WIDTH], int n, const float (&x)[4])
{
    int lane = threadIdx.x % 32;
    int chunk = threadIdx.x % 128 / 32 * 2 + lane / 8 % 2;
    unsigned r[2] = { rounded(x[0], x[1]), rounded(x[2], x[3]) };

    stmatrix_x2_trans(&out[n * 8 + lane % 8][(chunk ^ lane % 8) * 8], r);
}

// Upright, 16 columns from the nth 8 on: a thread has of a row what stands
// beside each other. Its warp has 16 rows.
__device__ __forceinline__ void
store_columns(real (*out)[WIDTH], int n, const float (&x)[4],
              const float (&y)[4])
{
    int row = threadIdx.x % 128 / 32 * 16 + threadIdx.x % 16;
    int chunk = n + threadIdx.x % 32 / 16;
    unsigned r[4] = { rounded(x[0], x[1]), rounded(x[2], x[3]),
                      rounded(y[0], y[1]), rounded(y[2], y[3]) };

    stmatrix_x4(&out[row][(chunk ^ row / 2 % 4) * 8], r);
}

__device__ __forceinline__ void
store_part(real (*out)[WIDTH], const float (*x)[4])
{
    if (UPRIGHT)
        for (int i = 0; i < PART; i += 2)
            store_columns(out, i, x[i], x[i + 1]);
    else
        for (int i = 0; i < PART; ++i)
            store_rows(out, i, x[i]);
}

#if DEEP > 1
// The blocks of a cluster that have steps of the same tile give each other
// their sums, and each adds up those of its share of the rows.
__device__ __forceinline__ void
add_up(const float (&d)[PRODUCTS][EIGHTS][4], tiles &s, const map_of_C &C,
       int me, int row, int col, bool again)
{
    int t = threadIdx.x % 128;
    int mine = seat_depth();

    // Of the tile before, all has been read.
    if (again) {
        if (t == 0)
            cp_async_bulk_wait_group_read<0>();
        meet();
    }
    for (int depth = 0; depth < DEEP; ++depth)
        for (int slab = 0; slab < MINE; ++slab)
            for (int i = 0; i < OUT / 8; ++i) {
                const float (&x)[4] = d[slab][depth * OUT / 8 + i];

                st_shared_cluster(&s.sums[mine][me][slab][i][t],
                                  depth * TEAM + seat(),
                                  make_float4(x[0], x[1], x[2], x[3]));
            }
    meet();
    for (int slab = 0; slab < MINE; ++slab) {
        real (*out)[WIDTH] = s.out[me][slab];

        for (int i = 0; i < OUT / 8; ++i) {
            float4 v = s.sums[0][me][slab][i][t];
            float x[4] = { v.x, v.y, v.z, v.w };

            for (int depth = 1; depth < DEEP; ++depth) {
                v = s.sums[depth][me][slab][i][t];
                x[0] += v.x;
                x[1] += v.y;
                x[2] += v.z;
                x[3] += v.w;
            }
            store_rows(out, i, x);
        }
        fence_proxy_async();
        bar_sync(1 + me, 128);
        if (t == 0)
            tma_store(C, row + mine * OUT, col + slab * 64, &out[0][0]);
    }
    if (t == 0)
        cp_async_bulk_commit_group();
}
#endif

// One thread fetches, for the tiles of all steps of all tiles of C, its share
// of the rows of A that blocks beside it need, too, and of those of B for the
// blocks below each other.
__device__ __forceinline__ void
produce(tiles &s, const tensor_map<real, BM / BESIDE, BK> &A,
        const tensor_map<real, BK / CLUSTER, WIDTH, 2 * WIDTH> &B,
        int M, int N, int K, int count)
{
    int stage = 0;
    unsigned parity = 1;
    int a = seat_column() * (BM / BESIDE);
    int b = seat_row() * (BK / CLUSTER);
    int team = seat_depth() * TEAM;
    int column = (1 << CLUSTER) - 1;
    int beside = ((1 << TEAM) - 1) / column << team + seat_row();
    int below = column << team + seat_column() * CLUSTER;
    int steps = (K + BK - 1) / BK;

    for (int n = 0;; ++n) {
        piece p = piece_of(n, share(count, steps), steps);
        int row, col;

        if (p.from == p.to)
            break;
        place(p.tile, M, N, &row, &col);
        if (n == 0) {
            griddepcontrol_wait();
            if (TEAM >= 4)
                griddepcontrol_launch_dependents();
        }
        for (int k = p.from * BK; k < p.to * BK && threadIdx.x == 0; k += BK) {
            mbarrier_wait_parity(&s.empty[stage], parity);
            mbarrier_arrive_expect_tx(&s.full[stage],
                                      (BM + BN) * BK * sizeof(real));
            if (BESIDE == 1)
                tma_load(&s.A[stage][0][0], A, row, k, &s.full[stage]);
            else
                tma_load_multicast(&s.A[stage][a][0], A, row + a, k,
                                   &s.full[stage], beside);
            for (int i = 0; i < SLABS; ++i)
                if (CLUSTER == 1)
                    tma_load(&s.B[stage][i][0][0], B, k, col + i * WIDTH,
                             &s.full[stage]);
                else
                    tma_load_multicast(&s.B[stage][i][b][0], B, k + b,
                                       col + i * WIDTH, &s.full[stage],
                                       below);
            stage = (stage + 1) % STAGES;
            parity ^= stage == 0;
        }
        if (DEEP > 1) {
            __syncwarp();
            if (n > 0)
                meet();
            meet();
        }
    }

    // No block ends while others may still arrive here; behind add_up(), none
    // does.
    for (int i = 0; TEAM > 1 && DEEP == 1 && i < STAGES; ++i) {
        mbarrier_wait_parity(&s.empty[stage], parity);
        stage = (stage + 1) % STAGES;
        parity ^= stage == 0;
    }
}

// Every block that fetches for this one learns that a stage has been used. Which
// thread tells which block is found out once, not at each step, where the next
// products would wait for it. No warp tells more than four.
#define NOBODY (-1)

__device__ __forceinline__ int whom_to_tell(int t)
{
    int block = t / 8;

    return t % 8 == 0 && block < TEAM &&
           (block % CLUSTER == seat_row() || block / CLUSTER == seat_column()) ?
           seat_depth() * TEAM + block : NOBODY;
}

__device__ __forceinline__ void release(mbarrier *empty, int whom)
{
    if (whom != NOBODY)
        mbarrier_arrive_cluster(empty, whom);
}

// wgmma's rows are 64, its columns any eights. A warpgroup multiplies its
// columns of B, a slab's 64 as rows, by its rows of A, as columns: so these may
// be any eights. Upright, its rows are rows, in 64s, and its columns may be any
// slabs of 32.
__device__ __forceinline__ void
consume(tiles &s, const map_of_C &C, int me, int M, int N, int K, int count)
{
    float d[PRODUCTS][EIGHTS][4];
    int t = threadIdx.x % 128;
    int first = me % ACROSS * MINE;  // slab
    int below = me / ACROSS * ROWS;
    int whom = whom_to_tell(t);
    int stage = 0;
    unsigned parity = 0;
    [[maybe_unused]] int left = 0;
    int steps = (K + BK - 1) / BK;

    for (int n = 0;; ++n) {
        piece p = piece_of(n, share(count, steps), steps);
        int row, col;

        if (p.from == p.to)
            break;
        place(p.tile, M, N, &row, &col);
        row += below;
        col += first * WIDTH;

        // Of two steps, one multiplies while the other begins.
        int before = stage;
        for (int k = p.from; k < p.to; ++k) {
            mbarrier_wait_parity(&s.full[stage], parity);
            wgmma_fence();
            const real (*A)[BK] = &s.A[stage][below];
            const real (*B)[BK][WIDTH] = &s.B[stage][first];

            for (int i = 0; i < BK; i += 16)
                for (int n = 0; n < PRODUCTS; ++n)
                    if (UPRIGHT)
                        wgmma(d[n], k_major(&A[n * 64][i]),
                              mn_major<WIDTH>(&B[0][i][0], sizeof(B[0])),
                              k > p.from || i > 0);
                    else
                        wgmma(d[n],
                              mn_major<WIDTH>(&B[n][i][0], sizeof(B[0])),
                              k_major(&A[0][i]), k > p.from || i > 0);
            wgmma_commit_group();
            if (k > p.from) {
                wgmma_wait_group<1>();
                release(&s.empty[before], whom);
            }
            before = stage;
            stage = (stage + 1) % STAGES;
            parity ^= stage == 0;
        }
        wgmma_wait_group<0>();
        release(&s.empty[before], whom);
#if DEEP > 1
        add_up(d, s, C, me, row, col, n > 0);
#else
        if (p.to < steps) {
            leave(d, me, p, share(count, steps));
            continue;
        }
        if (p.from > 0)
            take_over(d, me, p, share(count, steps), steps);

        for (int i = 0; i < PRODUCTS; ++i)
            for (int part = 0; part < EIGHTS / PART; ++part) {
                real (*out)[WIDTH] = s.out[me][left++ % PLACES];
                int down = UPRIGHT ? i : part;
                int right = UPRIGHT ? part : i;

                // What was there has left.
                if (t == 0)
                    cp_async_bulk_wait_group_read<PLACES - 1>();
                bar_sync(1 + me, 128);
                store_part(out, &d[i][part * PART]);
                fence_proxy_async();
                bar_sync(1 + me, 128);
                if (t == 0) {
                    tma_store(C, row + down * OUT, col + right * WIDTH,
                              &out[0][0]);
                    cp_async_bulk_commit_group();
                }
            }
#endif
    }
    if (t == 0)
        cp_async_bulk_wait_group_read<0>();
}

__global__ void __launch_bounds__(THREADS, BLOCKS)
hgemm(const __grid_constant__ tensor_map<real, BM / BESIDE, BK> A,
      const __grid_constant__
          tensor_map<real, BK / CLUSTER, WIDTH, 2 * WIDTH> B,
      const __grid_constant__ tensor_map<real, OUT, WIDTH, 2 * WIDTH> C,
      int M, int N, int K)
{
    extern __shared__ __align__(1024) tiles shared[];
    tiles &s = shared[0];
    int group = threadIdx.x / 128;

    // Of 65536 registers, by warpgroups of 128 threads and in eights.
    const int few = 40;
    const int each = (512 / BLOCKS - few) / CONSUMERS / 8 * 8;
    const int many = each < 240 ? each : 240;
    int count = (M + CLUSTER * BM - 1) / (CLUSTER * BM) *
                ((N + BESIDE * BN - 1) / (BESIDE * BN));

    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; ++i) {
            mbarrier_init(&s.full[i], 1);
            mbarrier_init(&s.empty[i], CONSUMERS * (CLUSTER + BESIDE - 1));
        }
        fence_mbarrier_init();
    }
    if (TOGETHER > 1)
        meet();
    else
        __syncthreads();

    if (group == 0) {
        setmaxnreg_dec<few>();
        if (DEEP > 1 || threadIdx.x == 0)
            produce(s, A, B, M, N, K, count);
    } else {
        setmaxnreg_inc<many>();
        consume(s, C, group - 1, M, N, K, count);
    }
}
