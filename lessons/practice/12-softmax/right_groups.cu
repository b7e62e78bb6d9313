#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cfloat>
namespace cg = cooperative_groups;
__global__ void softmax(const float *X, float *Y, int M, int N)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (row >= M) return;
    float m = -FLT_MAX, s = 0;
    for (int c = warp.thread_rank(); c < N; c += 32) m = fmaxf(m, X[row * N + c]);
    m = cg::reduce(warp, m, cg::greater<float>());
    for (int c = warp.thread_rank(); c < N; c += 32) s += expf(X[row * N + c] - m);
    s = cg::reduce(warp, s, cg::plus<float>());
    for (int c = warp.thread_rank(); c < N; c += 32) Y[row * N + c] = expf(X[row * N + c] - m) / s;
}
void launch(const float *X, float *Y, int M, int N) { softmax<<<(M + 7) / 8, 256>>>(X, Y, M, N); }
