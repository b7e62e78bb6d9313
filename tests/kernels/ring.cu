// A cluster of two blocks, each with a tile of C of 64 x 64, side by side.
// One warpgroup of a block brings tiles through a ring of stages: half of
// the tile of A to both blocks, and its own of B. The other multiplies.
// BUG tells what is wrong with it.
#include <ptx.h>

#ifndef BUG
#define BUG 0
#endif

constexpr int STAGES = 2, TILE = 64;

__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(256)
ring(const __grid_constant__ tensor_map<half, TILE / 2, TILE> A,
     const __grid_constant__ tensor_map<half, TILE, TILE> B,
     float *C, int N, int K)
{
    __shared__ alignas(1024) half As[STAGES][TILE * TILE];
    __shared__ alignas(1024) half Bs[STAGES][TILE * TILE];
    __shared__ mbarrier full[STAGES], empty[STAGES];
    int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    int rank = cluster_ctarank();

    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; ++s) {
            mbarrier_init(&full[s], 1);
            mbarrier_init(&empty[s], 2);
        }
        fence_mbarrier_init();
    }
#if BUG == 1  // the other block need not be as far
    __syncthreads();
#else
    cluster_arrive();
    cluster_wait();
#endif

    if (threadIdx.x < 128) {
        setmaxnreg_dec<40>();
        if (threadIdx.x == 0)
            for (int t = 0; t < K / TILE + (BUG == 9); ++t) {  // 9: too many
                int s = t % STAGES;
                int bytes = sizeof(As[s]) + sizeof(Bs[s]);

#if BUG != 2  // a stage is filled before it is free
                mbarrier_wait_parity(&empty[s],
                                             t / STAGES % 2 ^ 1);
#endif
#if BUG == 3  // the stage is thought full without its tile of B
                bytes = sizeof(As[s]);
#elif BUG == 4  // bytes are waited for that nobody brings
                bytes += 2;
#endif
                mbarrier_arrive_expect_tx(&full[s], bytes);
                tma_load_multicast(As[s] + rank * TILE / 2 * TILE, A,
                                   row + rank * TILE / 2, t * TILE,
                                   &full[s], 3);
                tma_load(Bs[s], B, t * TILE, col, &full[s]);
            }
    } else {
        int thread = threadIdx.x - 128;
        int warp = thread / 32, lane = thread % 32;
        float d[TILE / 8][4];

        setmaxnreg_inc<232>();
        for (int t = 0; t < K / TILE; ++t) {
            int s = t % STAGES;

#if BUG == 5  // one warp does not wait until the stage is full
            if (warp != 2)
#endif
            mbarrier_wait_parity(&full[s], t / STAGES % 2);
            wgmma_fence();
            for (int k = 0; k < TILE; k += 16)
                wgmma(d, k_major(As[s] + k), mn_major(Bs[s] + k * TILE, 0),
                      t > 0 || k > 0);
            wgmma_commit_group();
#if BUG == 6  // the stage is given away while it is read
            if (thread < 2)
                mbarrier_arrive_cluster(&empty[s], thread);
#endif
#if BUG != 7  // accumulators are read while they are written
            wgmma_wait_group<0>();
#endif
#if BUG == 8  // the stage is never given back
#elif BUG != 6
            if (thread < 2)
                mbarrier_arrive_cluster(&empty[s], thread);
#endif
        }
        for (int i = 0; i < TILE / 8; ++i)
            for (int j = 0; j < 4; ++j)
                C[(row + warp * 16 + lane / 4 + j / 2 * 8) * N +
                  col + i * 8 + lane % 4 * 2 + j % 2] = d[i][j];
    }
    cluster_arrive();
    cluster_wait();
}
