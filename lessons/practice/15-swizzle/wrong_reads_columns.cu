__global__ void transpose(const float *A, float *B, int M, int N)
{
    int row = blockIdx.y * 32 + threadIdx.x;
    int col = blockIdx.x * 32 + threadIdx.y;

    if (row < M && col < N)
        B[col * M + row] = A[row * N + col];
}

void launch(const float *A, float *B, int M, int N)
{
    dim3 block(32, 32);
    dim3 grid((N + 31) / 32, (M + 31) / 32);

    transpose<<<grid, block>>>(A, B, M, N);
}
