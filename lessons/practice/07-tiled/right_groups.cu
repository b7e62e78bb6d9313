#include <cooperative_groups.h>
using namespace cooperative_groups;
#define TILE 16
struct Tiles { float a[TILE][TILE], b[TILE][TILE]; };
__global__ void k(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ Tiles s;
    thread_block g = this_thread_block();
    const auto t = g.thread_index();
    const unsigned row = g.group_index().y * TILE + t.y, col = g.group_index().x * TILE + t.x;
    float sum = 0.0f;
    for (int p = 0; p < K; p += TILE) {
        s.a[t.y][t.x] = A[row * K + p + t.x];
        s.b[t.y][t.x] = B[(p + t.y) * N + col];
        g.sync();
        for (int q = 0; q < TILE; ++q) sum += s.a[t.y][q] * s.b[q][t.x];
        g.sync();
    }
    C[row * N + col] = sum;
}
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    k<<<dim3(N / TILE, M / TILE), dim3(TILE, TILE)>>>(A, B, C, M, N, K);
}
