__global__ void coalesced(const float *A, const float *B, float *C,
                          int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < M && col < N) {
        float sum = 0.0f;

        for (int k = 0; k < K; ++k)
            sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 block(4, 64);
    dim3 grid((N + 3) / 4, (M + 63) / 64);

    coalesced<<<grid, block>>>(A, B, C, M, N, K);
}
