__global__ void transpose(const float *A, float *B, int M, int N)
{
    __shared__ float tile[32][32];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * 32 + ty;
    int col = blockIdx.x * 32 + tx;

    if (row < M && col < N)
        tile[ty][tx] = A[row * N + col];
    __syncthreads();

    row = blockIdx.x * 32 + ty;
    col = blockIdx.y * 32 + tx;
    if (row < N && col < M)
        B[row * M + col] = tile[tx][ty];
}

void launch(const float *A, float *B, int M, int N)
{
    dim3 block(32, 32);
    dim3 grid((N + 31) / 32, (M + 31) / 32);

    transpose<<<grid, block>>>(A, B, M, N);
}
