#define TILE 16

__global__ void tiled(const float *A, const float *B, float *C,
                      int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE + 1];    // Bs[column][k]

    int tx = threadIdx.x % TILE;
    int ty = threadIdx.x / TILE;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int t = 0; t < K; t += TILE) {
        As[ty][tx] = A[row * K + t + tx];
        Bs[tx][ty] = B[(t + ty) * N + col];
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[tx][k];
        __syncthreads();
    }

    C[row * N + col] = sum;
}

void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(N / TILE, M / TILE);

    tiled<<<grid, TILE * TILE>>>(A, B, C, M, N, K);
}
