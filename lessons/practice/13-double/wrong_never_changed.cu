#define TILE 16

__device__ float at(const float *X, int row, int col, int rows, int cols)
{
    return row < rows && col < cols ? X[row * cols + col] : 0.0f;
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

    As[0][ty][tx] = at(A, row, 0 + tx, M, K);
    Bs[0][ty][tx] = at(B, 0 + ty, col, K, N);
    __syncthreads();

    for (int t = 0, now = 0; t < K; t += TILE) {
        if (t + TILE < K) {
            As[1 - now][ty][tx] = at(A, row, t + TILE + tx, M, K);
            Bs[1 - now][ty][tx] = at(B, t + TILE + ty, col, K, N);
        }

        for (int k = 0; k < TILE; ++k)
            sum += As[now][ty][k] * Bs[now][k][tx];
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
