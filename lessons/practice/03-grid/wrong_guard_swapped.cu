__global__ void transpose(const float *A, float *B, int M, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < N && col < M)
        B[col * M + row] = A[row * N + col];
}

void launch(const float *A, float *B, int M, int N)
{
    dim3 block(16, 16);
    dim3 grid((N + 15) / 16, (M + 15) / 16);

    transpose<<<grid, block>>>(A, B, M, N);
}
