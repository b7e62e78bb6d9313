#include <cuda_pipeline.h>
#define T 32
__device__ void fetch(float *to, const float *X, int r, int c, int R, int S)
{
    if (r < R && c < S) __pipeline_memcpy_async(to, X + r * S + c, sizeof(float));
    else *to = 0;
}
__global__ void k(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[2][T][T], Bs[2][T][T];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx, b = 0;
    float sum = 0;
    fetch(&As[0][ty][tx], A, row, tx, M, K);
    fetch(&Bs[0][ty][tx], B, ty, col, K, N);
    __pipeline_commit();
    for (int t = 0; t < K; t += T, b ^= 1) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (t + T < K) {
            fetch(&As[b ^ 1][ty][tx], A, row, t + T + tx, M, K);
            fetch(&Bs[b ^ 1][ty][tx], B, t + T + ty, col, K, N);
            __pipeline_commit();
        }
        for (int q = 0; q < T; q++) sum += As[b][ty][q] * Bs[b][q][tx];
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    k<<<dim3((N + T - 1) / T, (M + T - 1) / T), dim3(T, T)>>>(A, B, C, M, N, K);
}
