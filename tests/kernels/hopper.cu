// One block, one warpgroup, a tile of C of 64 x 64: TMA brings tiles of A
// and B, wgmma multiplies them, TMA takes the result away.
#include <ptx.h>

__global__ void __launch_bounds__(128)
hopper(const __grid_constant__ tensor_map<half, 64, 64> A,
       const __grid_constant__ tensor_map<half, 64, 64> B,
       const __grid_constant__ tensor_map<half, 64, 64, 0> C, int K)
{
    __shared__ alignas(1024) half As[64 * 64];
    __shared__ alignas(1024) half Bs[64 * 64];
    __shared__ alignas(1024) half Cs[64][64];
    __shared__ mbarrier full;
    int row = blockIdx.y * 64, col = blockIdx.x * 64;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float d[8][4] = {};

    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    for (int k = 0; k < K; k += 64) {
        if (threadIdx.x == 0) {
            mbarrier_arrive_expect_tx(&full, sizeof(As) + sizeof(Bs));
            tma_load(As, A, row, k, &full);
            tma_load(Bs, B, k, col, &full);
        }
        mbarrier_wait_parity(&full, k / 64 % 2);
        wgmma_fence();
        for (int i = 0; i < 64; i += 16)
            wgmma(d, k_major(As + i), mn_major(Bs + i * 64, 0), 1);
        wgmma_commit_group();
        wgmma_wait_group<0>();
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 4; ++j)
            Cs[warp * 16 + lane / 4 + j / 2 * 8]
              [i * 8 + lane % 4 * 2 + j % 2] = __float2half(d[i][j]);
    fence_proxy_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        tma_store(C, row, col, &Cs[0][0]);
        cp_async_bulk_commit_group();
        cp_async_bulk_wait_group_read<0>();
    }
}
