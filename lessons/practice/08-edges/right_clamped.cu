#define TILE 16

__global__ void tiled(const float *A, const float *B, float *C,
                      int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    int a_row = min(row, M - 1);
    int b_col = min(col, N - 1);

    for (int t = 0; t < K; t += TILE) {
        float in_A = t + tx < K ? 1.0f : 0.0f;
        float in_B = t + ty < K ? 1.0f : 0.0f;

        As[ty][tx] = in_A * A[a_row * K + min(t + tx, K - 1)];
        Bs[ty][tx] = in_B * B[min(t + ty, K - 1) * N + b_col];
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}

void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 block(TILE, TILE);
    dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);

    tiled<<<grid, block>>>(A, B, C, M, N, K);
}
