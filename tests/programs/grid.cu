// Groups of a grid's threads and of lanes.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda_runtime.h>
#include <sm_61_intrinsics.h>
namespace cg = cooperative_groups;

__global__ void ranks(unsigned *to)
{
    auto grid = cg::this_grid();
    auto same = cg::labeled_partition(
        cg::tiled_partition<32>(cg::this_thread_block()), threadIdx.x % 3);
    auto odd = cg::binary_partition(cg::coalesced_threads(), threadIdx.x & 1);

    to[grid.thread_rank()] = grid.size() + grid.num_blocks() +
                             same.size() * 1000 + same.thread_rank() * 100000 +
                             odd.size() * 10000000;
}

// Of each group's lanes: the sum of their numbers, the greatest, the word of
// bits, and which are there.
__global__ void reduced(int4 *to)
{
    int lane = threadIdx.x;
    auto same = cg::labeled_partition(cg::coalesced_threads(), lane * lane % 5);

    to[lane] = make_int4(cg::reduce(same, lane, cg::plus<int>()),
                         cg::reduce(same, lane % 7, cg::greater<int>()),
                         cg::reduce(same, 1 << lane, cg::bit_or<int>()),
                         __dp4a(0x01010101, 0x01020304, 5));
}

static int reduced_wrong()
{
    int4 got[32], *to;
    cudaEvent_t event;
    int wrong = 0;

    cudaEventCreate(&event, 0);
    cudaMalloc(&to, sizeof(got));
    reduced<<<1, 27>>>(to);
    cudaEventRecord(event);
    cudaMemcpy(got, to, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 27; i++) {
        int4 is = make_int4(0, -INT_MAX, 0, 15);

        for (int k = 0; k < 27; k++)
            if (k * k % 5 == i * i % 5) {
                is.x += k;
                is.y = is.y > k % 7 ? is.y : k % 7;
                is.z |= 1 << k;
            }
        wrong += got[i].x != is.x || got[i].y != is.y || got[i].z != is.z ||
                 got[i].w != is.w;
    }
    cudaEventDestroy(event);
    cudaFree(to);
    return wrong;
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
    wrong += reduced_wrong();
    printf("%d wrong\n", wrong);
    cudaFree(to);
    return wrong != 0;
}
