#include <cuda_pipeline.h>

#define TILE 16

// Begins to copy an element to shared memory, or stores a zero there.
__device__ void copy(float *to, const float *X, int row, int col,
                     int rows, int cols)
{
    if (row < rows && col < cols)
        __pipeline_memcpy_async(to, &X[row * cols + col], sizeof(*to));
    else
        *to = 0.0f;
}

__global__ void doubled(const float *A, const float *B, float *C,
                        int M, int N, int K)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    copy(&As[0][ty][tx], A, row, 0 + tx, M, K);
    copy(&Bs[0][ty][tx], B, 0 + ty, col, K, N);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();

    for (int t = 0, now = 0; t < K; t += TILE, now = 1 - now) {
        if (t + TILE < K) {
            copy(&As[1 - now][ty][tx], A, row, t + TILE + tx, M, K);
            copy(&Bs[1 - now][ty][tx], B, t + TILE + ty, col, K, N);
        }
        __pipeline_commit();

        for (int k = 0; k < TILE; ++k)
            sum += As[now][ty][k] * Bs[now][k][tx];
        __pipeline_wait_prior(0);
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}

void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 block(TILE, TILE);
    dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);

    doubled<<<grid, block>>>(A, B, C, M, N, K);
}
