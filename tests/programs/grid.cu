// Groups of a grid's threads and of lanes; with MEETS, blocks that meet.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__global__ void ranks(unsigned *to)
{
    auto grid = cg::this_grid();
    auto same = cg::labeled_partition(
        cg::tiled_partition<32>(cg::this_thread_block()), threadIdx.x % 3);
    auto odd = cg::binary_partition(cg::coalesced_threads(), threadIdx.x & 1);

#ifdef MEETS
    grid.sync();
#endif
    to[grid.thread_rank()] = grid.size() + grid.num_blocks() +
                             same.size() * 1000 + same.thread_rank() * 100000 +
                             odd.size() * 10000000;
}

int main()
{
    unsigned host[192], *to;
    int wrong = 0;

    cudaMalloc(&to, sizeof(host));
    ranks<<<dim3(3, 2), dim3(16, 2)>>>(to);
    cudaMemcpy(host, to, sizeof(host), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 192; i++) {
        // x is 0 .. 15 twice: 6, 5 and 5 of a row leave 0, 1 and 2.
        int x = i % 16, before = (i % 32 / 16) * (x % 3 ? 5 : 6) + x / 3;
        unsigned is = 192 + 6 + (x % 3 ? 10 : 12) * 1000 + before * 100000 +
                      160000000;

        wrong += host[i] != is;
    }
    printf("%d wrong\n", wrong);
    cudaFree(to);
    return wrong != 0;
}
