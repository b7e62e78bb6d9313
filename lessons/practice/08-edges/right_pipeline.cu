#include <cuda_pipeline.h>
#define T 16
__global__ void k(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[T][T], Bs[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum = 0;
    for (int t = 0; t < K; t += T) {
        if (row < M && t + tx < K) __pipeline_memcpy_async(&As[ty][tx], &A[row * K + t + tx], 4); else As[ty][tx] = 0;
        if (t + ty < K && col < N) __pipeline_memcpy_async(&Bs[ty][tx], &B[(t + ty) * N + col], 4); else Bs[ty][tx] = 0;
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int q = 0; q < T; q++) sum += As[ty][q] * Bs[q][tx];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    k<<<dim3((N + T - 1) / T, (M + T - 1) / T), dim3(T, T)>>>(A, B, C, M, N, K);
}
