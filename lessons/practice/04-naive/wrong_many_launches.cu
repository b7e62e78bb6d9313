// A launch for each row, and no guard at the last columns.
__global__ void multiply_row(const float *A, const float *B, float *C,
                             int N, int K, int row)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    for (int k = 0; k < K; ++k)
        sum += A[row * K + k] * B[k * N + col];
    if (col < N)
        C[row * N + col] = sum;
}

void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    for (int row = 0; row < M; ++row)
        multiply_row<<<(N + 31) / 32, 32>>>(A, B, C, N, K, row);
}
