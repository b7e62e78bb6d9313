#include <cstdint>
struct Index { int row, col; };
__device__ Index here() { return { int(blockIdx.y * blockDim.y + threadIdx.y), int(blockIdx.x * blockDim.x + threadIdx.x) }; }
__device__ inline bool inside(Index i, int M, int N) { return i.row < M && i.col < N; }
__global__ void transpose(const float *A, float *B, int M, int N)
{
    auto [row, col] = here();
    auto in = [=](int64_t r, int64_t c) { return A[r * N + c]; };
    if (!inside({row, col}, M, N)) return;
    B[int64_t(col) * M + row] = in(row, col);
}
void launch(const float *A, float *B, int M, int N)
{
    dim3 block(16, 16), grid;
    grid.x = std::size_t(N + 15) / 16;
    grid.y = (M + 15) >> 4;
    transpose<<<grid, block>>>(A, B, M, N);
}
