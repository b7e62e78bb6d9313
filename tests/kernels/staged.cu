// A warpgroup writes a tile of C to shared memory, from where TMA takes it.
// BUG tells what is wrong with it.
#include <ptx.h>

#ifndef BUG
#define BUG 0
#endif

__global__ void __launch_bounds__(160)
staged(const __grid_constant__ tensor_map<half, 64, 64> C, int M)
{
    __shared__ alignas(1024) half Cs[64 * 64];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

    if (warp == 4)  // it has nothing to do
        return;
    for (int row = 0; row < M; row += 64) {
        unsigned r[4];
        int y = warp * 16 + lane % 16;

        for (int x = 0; x < 64; x += 16) {
            for (int i = 0; i < 4; ++i)
                r[i] = row + x + i;
            stmatrix_x4(&Cs[y * 64 + ((x / 8 + lane / 16) ^ y % 8) * 8], r);
        }
#if BUG != 1  // TMA need not see what was stored
        fence_proxy_async();
#endif
#if BUG != 2  // nor is it all there
        bar_sync(1, 128);
#endif
        if (threadIdx.x == 0) {
            tma_store(C, row, 0, Cs);
            cp_async_bulk_commit_group();
#if BUG != 3  // the tile is overwritten while it is read
            cp_async_bulk_wait_group_read<0>();
#endif
        }
#if BUG == 4  // warps of another number
        bar_sync(1, warp < 2 ? 128 : 96);
#elif BUG == 5  // one does not come
        if (warp != 3)
            bar_sync(1, 128);
#else
        bar_sync(1, 128);
#endif
    }
}
