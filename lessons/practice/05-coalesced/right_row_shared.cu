#include <algorithm>
__global__ void k(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float a[];
    int row = blockIdx.x;
    for (int q = threadIdx.x; q < K; q += blockDim.x) a[q] = A[row * K + q];
    __syncthreads();
    for (int col = threadIdx.x; col < N; col += blockDim.x) {
        float s = 0;
        for (int q = 0; q < K; ++q) s += a[q] * B[q * N + col];
        C[row * N + col] = s;
    }
}
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    k<<<M, std::min(64, 32 * ((N + 31) / 32)), K * sizeof(float)>>>(A, B, C, M, N, K);
}
