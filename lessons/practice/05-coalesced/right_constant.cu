#include <cassert>
__constant__ int dims[3];
__global__ void naive(const float *A, const float *B, float *C)
{
    int M = dims[0], N = dims[1], K = dims[2];
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    assert(row < M);
    float s = 0;
    for (int k = 0; k < K; ++k) s += A[row * K + k] * B[k * N + col];
    C[row * N + col] = s;
}
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    int d[3] = { M, N, K };
    cudaMemcpyToSymbol(dims, d, sizeof d);
    naive<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C);
}
