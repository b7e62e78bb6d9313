#define TILE 16

__device__ float at(const float *X, int row, int col, int rows, int cols)
{
    return row < rows && col < cols ? X[row * cols + col] : 0.0f;
}

__global__ void doubled(const float *A, const float *B, float *C,
                        int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    float a = at(A, row, tx, M, K);
    float b = at(B, ty, col, K, N);

    for (int t = 0; t < K; t += TILE) {
        As[ty][tx] = a;
        Bs[ty][tx] = b;
        __syncthreads();

        if (t + TILE < K) {
            a = at(A, row, t + TILE + tx, M, K);
            b = at(B, t + TILE + ty, col, K, N);
        }
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

    doubled<<<grid, block>>>(A, B, C, M, N, K);
}
