// wgmma_basic: four warps multiply 64 x 128 x 16 at once.
//
// Idea: Hopper's tensor cores take their operands from shared memory. The
// 128 threads of a warpgroup give one instruction, wgmma, the addresses of a
// tile of A and one of B; only the sums are in their registers, 64 of them
// each. One thread has TMA bring the tiles, swizzled as wgmma wants them,
// and all wait for an mbarrier, which counts the bytes that arrive. Then
// they multiply, and only then the next tiles are fetched: nothing overlaps
// yet.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense; a
// block of 128 threads; sm_90a. The launcher checks that N and K are
// multiples of 8, since TMA needs rows that begin at multiples of 16 bytes,
// and refuses the launch in words otherwise. Any M: what lies outside a
// matrix reads as zeros.

#include <ptx.h>

#define BM 64                   // rows and columns of C a block computes
#define BN 128
#define BK 64                   // a row of a swizzled tile, 128 bytes

__global__ void __launch_bounds__(128)
wgmma_basic(const __grid_constant__ tensor_map<half, BM, BK> A,
            const __grid_constant__ tensor_map<half, BK, 64> B,
            half *C, int M, int N, int K)
{
    __shared__ __align__(1024) half As[BM][BK];
    __shared__ __align__(1024) half Bs[BN / 64][BK][64];
    __shared__ mbarrier full;

    float d[BN / 8][4];
    int t = threadIdx.x;
    int row0 = blockIdx.y * BM;
    int col0 = blockIdx.x * BN;
    unsigned parity = 0;

    if (t == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
    }
    __syncthreads();

    for (int k = 0; k < K; k += BK) {
        if (t == 0) {
            mbarrier_arrive_expect_tx(&full, sizeof(As) + sizeof(Bs));
            tma_load(&As[0][0], A, row0, k, &full);
            for (int i = 0; i < BN / 64; ++i)
                tma_load(&Bs[i][0][0], B, k, col0 + i * 64, &full);
        }
        mbarrier_wait_parity(&full, parity);
        parity ^= 1;

        wgmma_fence();
        for (int i = 0; i < BK; i += 16)
            wgmma(d, k_major(&As[0][i]),
                  mn_major(&Bs[0][i][0], sizeof(Bs[0])), k + i > 0);
        wgmma_commit_group();
        wgmma_wait_group<0>();
        __syncthreads();
    }

    // A thread has two neighbours of each 8 columns, in two rows.
    for (int i = 0; i < BN / 8; ++i)
        for (int below = 0; below < 2; ++below) {
            int row = row0 + t / 32 * 16 + t % 32 / 4 + below * 8;
            int col = col0 + i * 8 + t % 4 * 2;

            if (row < M && col < N)
                *reinterpret_cast<half2 *>(&C[(size_t)row * N + col]) =
                    __floats2half2_rn(d[i][below * 2],
                                      d[i][below * 2 + 1]);
        }
}
