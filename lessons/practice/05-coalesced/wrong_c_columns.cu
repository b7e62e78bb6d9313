__global__ void coalesced(const float *A, const float *B, float *C,
                          int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < M && col < N) {
        float sum = 0.0f;

        for (int k = 0; k < K; ++k)
            sum += A[row * K + k] * B[k * N + col];
        C[col * M + row] = sum;
    }
}

void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 block(32, 8);
    dim3 grid((N + 31) / 32, (M + 7) / 8);

    coalesced<<<grid, block>>>(A, B, C, M, N, K);
}
