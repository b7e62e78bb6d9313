// hgemm: tensor cores that never wait.
//
// Idea: tma_pipeline, and what is left between it and the chip's limit. The
// grid is persistent: a block computes one tile of C after the other, and
// while the consumers bring out the sums of one, the producer fetches for
// the next. Two blocks, a cluster, compute tiles below each other, which
// need the same tile of B: each fetches half of it, for both at once
// (multicast). The order of the tiles keeps those that run at the same time
// in a square, so that they meet in the L2 cache. The producer gives most of
// its registers to the consumers, which hold 128 sums a thread; these leave
// through shared memory, a part after the other, by TMA.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense;
// sm_90a. The launcher checks that N and K are multiples of 8, since TMA
// needs rows that begin at multiples of 16 bytes, and refuses the launch in
// words otherwise. Any M: what lies outside a matrix reads as zeros and is
// not written.

#include <ptx.h>

#ifndef EXPONENT
#define EXPONENT 5  // bits: 5 of half, 8 of bfloat16
#endif
#ifndef SLABS
#define SLABS 2     // 64 rows of C each, that a consumer computes
#endif
#ifndef BN
#define BN 128      // columns of C a block computes
#endif
#ifndef STAGES
#define STAGES 4    // tiles of A and B on their way
#endif
#ifndef CLUSTER
#define CLUSTER 2   // blocks that share tiles of B
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
#define CONSUMERS 2                  // warpgroups
#define BM (64 * SLABS * CONSUMERS)  // rows of C a block computes
#define PARTS (BN / 64)              // of a tile of B, 64 columns each
#define THREADS (128 * (1 + CONSUMERS))

struct tiles {
    real A[STAGES][BM][BK];
    real B[STAGES][PARTS][BK][64];
    real out[CONSUMERS][2][64][64];  // a part of C on its way out
    mbarrier full[STAGES];           // its tiles have come
    mbarrier empty[STAGES];          // they have been used, in both blocks
};

// Where in C tile number `tile` is: tiles are numbered down GROUP rows, then
// the next column.
__device__ __forceinline__ void place(int tile, int M, int N,
                                      int *row, int *col)
{
    int rows = (M + CLUSTER * BM - 1) / (CLUSTER * BM);
    int columns = (N + BN - 1) / BN;
    int first = tile / (GROUP * columns) * GROUP;
    int high = min(rows - first, GROUP);
    int inside = tile % (GROUP * columns);

    *row = ((first + inside % high) * CLUSTER + cluster_ctarank()) * BM;
    *col = inside / high * BN;
}

__device__ __forceinline__ unsigned rounded(float x, float y)
{
    auto pair = REAL2(x, y);

    return *reinterpret_cast<unsigned *>(&pair);
}

// One thread fetches the tiles of all steps of all tiles of C.
__device__ __forceinline__ void
produce(tiles &s, const tensor_map<real, BM, BK> &A,
        const tensor_map<real, BK, 64> &B, int M, int N, int K, int count)
{
    int stage = 0;
    unsigned parity = 1;
    int mine = cluster_ctarank() * (PARTS / CLUSTER);

    for (int tile = blockIdx.x / CLUSTER; tile < count;
         tile += gridDim.x / CLUSTER) {
        int row, col;

        place(tile, M, N, &row, &col);
        for (int k = 0; k < K; k += BK) {
            mbarrier_wait_parity(&s.empty[stage], parity);
            mbarrier_arrive_expect_tx(&s.full[stage],
                                      (BM + BN) * BK * sizeof(real));
            tma_load(&s.A[stage][0][0], A, row, k, &s.full[stage]);
            for (int i = mine; i < mine + PARTS / CLUSTER; ++i)
                tma_load_multicast(&s.B[stage][i][0][0], B, k, col + i * 64,
                                   &s.full[stage], (1 << CLUSTER) - 1);
            stage = (stage + 1) % STAGES;
            parity ^= stage == 0;
        }
    }
}

// Every block of the cluster learns that a stage has been used here.
__device__ __forceinline__ void release(mbarrier *empty, int t)
{
    if (t < CLUSTER)
        mbarrier_arrive_cluster(empty, t);
}

// A warpgroup multiplies 64 * SLABS rows of A by all columns of B.
__device__ __forceinline__ void
consume(tiles &s, const tensor_map<real, 64, 64> &C, int me,
        int M, int N, int K, int count)
{
    float d[SLABS][BN / 8][4];
    int t = threadIdx.x % 128;
    int lane = t % 32;
    int out_row = t / 32 * 16 + lane % 16;
    int stage = 0;
    unsigned parity = 0;
    int parts = 0;

    for (int tile = blockIdx.x / CLUSTER; tile < count;
         tile += gridDim.x / CLUSTER) {
        int row, col;

        place(tile, M, N, &row, &col);
        row += me * 64 * SLABS;

        // Of two steps, one multiplies while the other begins.
        int before = stage;

        for (int k = 0; k < K; k += BK) {
            mbarrier_wait_parity(&s.full[stage], parity);
            wgmma_fence();
            for (int i = 0; i < BK; i += 16)
                for (int slab = 0; slab < SLABS; ++slab)
                    wgmma(d[slab],
                          k_major(&s.A[stage][(me * SLABS + slab) * 64][i]),
                          mn_major(&s.B[stage][0][i][0], sizeof(s.B[0][0])),
                          k + i > 0);
            wgmma_commit_group();
            if (k > 0) {
                wgmma_wait_group<1>();
                release(&s.empty[before], t);
            }
            before = stage;
            stage = (stage + 1) % STAGES;
            parity ^= stage == 0;
        }
        wgmma_wait_group<0>();
        release(&s.empty[before], t);

        for (int slab = 0; slab < SLABS; ++slab)
            for (int part = 0; part < PARTS; ++part) {
                real (*out)[64] = s.out[me][parts++ % 2];

                // The part before the last has left its place.
                if (t == 0)
                    cp_async_bulk_wait_group_read<1>();
                bar_sync(1 + me, 128);
                for (int i = 0; i < 8; i += 2) {
                    float (*x)[4] = &d[slab][part * 8 + i];
                    unsigned r[4] = {
                        rounded(x[0][0], x[0][1]), rounded(x[0][2], x[0][3]),
                        rounded(x[1][0], x[1][1]), rounded(x[1][2], x[1][3]),
                    };
                    int chunk = (i + lane / 16) ^ out_row % 8;

                    stmatrix_x4(&out[out_row][chunk * 8], r);
                }
                fence_proxy_async();
                bar_sync(1 + me, 128);
                if (t == 0) {
                    tma_store(C, row + slab * 64, col + part * 64,
                              &out[0][0]);
                    cp_async_bulk_commit_group();
                }
            }
    }
    if (t == 0)
        cp_async_bulk_wait_group_read<0>();
}

__global__ void __launch_bounds__(THREADS, 1)
hgemm(const __grid_constant__ tensor_map<real, BM, BK> A,
      const __grid_constant__ tensor_map<real, BK, 64> B,
      const __grid_constant__ tensor_map<real, 64, 64> C,
      int M, int N, int K)
{
    extern __shared__ __align__(1024) tiles shared[];
    tiles &s = shared[0];
    int group = threadIdx.x / 128;
    int count = (M + CLUSTER * BM - 1) / (CLUSTER * BM) * ((N + BN - 1) / BN);

    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; ++i) {
            mbarrier_init(&s.full[i], 1);
            mbarrier_init(&s.empty[i], CONSUMERS * CLUSTER);
        }
        fence_mbarrier_init();
    }
    cluster_arrive();
    cluster_wait();

    if (group == 0) {
        setmaxnreg_dec<40>();
        if (threadIdx.x == 0)
            produce(s, A, B, M, N, K, count);
    } else {
        setmaxnreg_inc<232>();
        consume(s, C, group - 1, M, N, K, count);
    }

    // No block ends while the other may still write here.
    cluster_arrive();
    cluster_wait();
}
