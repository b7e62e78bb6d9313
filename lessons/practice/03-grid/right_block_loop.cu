__global__ void transpose(const float *A, float *B, int M, int N)
{
    // A block goes down a strip of 16 columns.
    int col = blockIdx.x * 16 + threadIdx.x;

    for (int row = threadIdx.y; row < M; row += 16)
        if (col < N)
            B[col * M + row] = A[row * N + col];
}

void launch(const float *A, float *B, int M, int N)
{
    transpose<<<(N + 15) / 16, dim3(16, 16)>>>(A, B, M, N);
}
