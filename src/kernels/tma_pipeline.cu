// tma_pipeline: warps with roles, and copies that nobody computes with.
//
// Idea: one thread, the producer, has TMA bring whole tiles of A and B to
// shared memory, swizzled on the way, as far ahead as there is room. Two
// warpgroups, the consumers, multiply what has come. They meet at mbarriers,
// two a stage: `full` ends its phase when all bytes of a stage have arrived,
// `empty` when both consumers are done with it. So the tensor cores always
// have the next step in front of them, and no thread waits that has work.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense;
// sm_90a. The launcher checks that N and K are multiples of 8, since TMA
// needs rows that begin at multiples of 16 bytes, and refuses the launch in
// words otherwise. Any M: what lies outside a matrix reads as zeros.

#include <ptx.h>

#ifndef EXPONENT
#define EXPONENT 5  // bits: 5 of half, 8 of bfloat16
#endif

#if EXPONENT == 8
typedef __nv_bfloat16 real;
typedef __nv_bfloat162 real2;
#define REAL2(x, y) __floats2bfloat162_rn(x, y)
#else
typedef half real;
typedef half2 real2;
#define REAL2(x, y) __floats2half2_rn(x, y)
#endif

#define CONSUMERS 2             // warpgroups
#define SLABS 2                 // 64 rows of C each, that one computes
#define BM 256                  // rows and columns of C a block computes
#define BN 128
#define BK 64                   // a row of a swizzled tile, 128 bytes
#define PARTS (BN / 64)         // of a tile of B, 64 columns each
#define STAGES 4                // tiles of A and B on their way
#define THREADS (128 * (1 + CONSUMERS))

struct tiles {
    real A[STAGES][BM][BK];
    real B[STAGES][PARTS][BK][64];
    mbarrier full[STAGES];      // its tiles have come
    mbarrier empty[STAGES];     // they have been used
};

__global__ void __launch_bounds__(THREADS, 1)
tma_pipeline(const __grid_constant__ tensor_map<real, BM, BK> A,
             const __grid_constant__ tensor_map<real, BK, 64> B,
             real *C, int M, int N, int K)
{
    extern __shared__ __align__(1024) tiles shared[];
    tiles &s = shared[0];
    int row0 = blockIdx.y * BM;
    int col0 = blockIdx.x * BN;
    int group = threadIdx.x / 128;
    int stage = 0;

    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; ++i) {
            mbarrier_init(&s.full[i], 1);
            mbarrier_init(&s.empty[i], CONSUMERS);
        }
        fence_mbarrier_init();
    }
    __syncthreads();

    if (group == 0) {
        unsigned parity = 1;

        for (int k = 0; k < K && threadIdx.x == 0; k += BK) {
            mbarrier_wait_parity(&s.empty[stage], parity);
            mbarrier_arrive_expect_tx(&s.full[stage],
                                      (BM + BN) * BK * sizeof(real));
            tma_load(&s.A[stage][0][0], A, row0, k, &s.full[stage]);
            for (int i = 0; i < PARTS; ++i)
                tma_load(&s.B[stage][i][0][0], B, k, col0 + i * 64,
                         &s.full[stage]);
            stage = (stage + 1) % STAGES;
            parity ^= stage == 0;
        }
        return;
    }

    float d[SLABS][BN / 8][4];
    int t = threadIdx.x % 128;
    int first = (group - 1) * SLABS * 64;   // of this group's rows
    unsigned parity = 0;
    int before = 0;

    // Of two steps, one multiplies while the other begins.
    for (int k = 0; k < K; k += BK) {
        mbarrier_wait_parity(&s.full[stage], parity);
        wgmma_fence();
        for (int i = 0; i < BK; i += 16)
            for (int slab = 0; slab < SLABS; ++slab)
                wgmma(d[slab], k_major(&s.A[stage][first + slab * 64][i]),
                      mn_major(&s.B[stage][0][i][0], sizeof(s.B[0][0])),
                      k + i > 0);
        wgmma_commit_group();
        if (k > 0) {
            wgmma_wait_group<1>();
            if (t == 0)
                mbarrier_arrive(&s.empty[before]);
        }
        before = stage;
        stage = (stage + 1) % STAGES;
        parity ^= stage == 0;
    }
    wgmma_wait_group<0>();

#pragma unroll
    for (int slab = 0; slab < SLABS; ++slab)
#pragma unroll
        for (int i = 0; i < BN / 8; ++i)
            for (int below = 0; below < 2; ++below) {
                int row = row0 + first + slab * 64 + t / 32 * 16 +
                          t % 32 / 4 + below * 8;
                int col = col0 + i * 8 + t % 4 * 2;
                float *x = &d[slab][i][below * 2];

                if (row < M && col < N)
                    *reinterpret_cast<real2 *>(&C[(size_t)row * N + col]) =
                        REAL2(x[0], x[1]);
            }
}
