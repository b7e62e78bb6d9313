__global__ void transpose(const float *A, float *B, int M, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < M && col < N)
        B[col * M + row] = A[row * N + col];
}

void launch(const float *A, float *B, int M, int N)
{
    dim3 block(16, 16);
    dim3 grid((M + 15) / 16, (N + 15) / 16);

    transpose<<<grid, block>>>(A, B, M, N);
}
