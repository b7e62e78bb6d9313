#define TILE 16

__device__ float at(const float *X, int row, int col, int rows, int cols)
{
    return row < rows && col < cols ? X[row * cols + col] : 0.0f;
}

__global__ void doubled(const float *A, const float *B, float *C,
                        int M, int N, int K)
{
    __shared__ float As[TILE][TILE], As2[TILE][TILE];
    __shared__ float Bs[TILE][TILE], Bs2[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    As[ty][tx] = at(A, row, tx, M, K);
    Bs[ty][tx] = at(B, ty, col, K, N);
    __syncthreads();

    for (int t = 0; t < K; t += 2 * TILE) {
        if (t + TILE < K) {
            As2[ty][tx] = at(A, row, t + TILE + tx, M, K);
            Bs2[ty][tx] = at(B, t + TILE + ty, col, K, N);
        }
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();

        if (t + TILE >= K)
            break;
        if (t + 2 * TILE < K) {
            As[ty][tx] = at(A, row, t + 2 * TILE + tx, M, K);
            Bs[ty][tx] = at(B, t + 2 * TILE + ty, col, K, N);
        }
        for (int k = 0; k < TILE; ++k)
            sum += As2[ty][k] * Bs2[k][tx];
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
