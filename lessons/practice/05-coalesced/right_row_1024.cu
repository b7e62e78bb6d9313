__global__ void coalesced(const float *A, const float *B, float *C,
                          int M, int N, int K)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;

    if (col < N) {
        float sum = 0.0f;

        for (int k = 0; k < K; ++k)
            sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid((N + 1023) / 1024, M);

    coalesced<<<grid, 1024>>>(A, B, C, M, N, K);
}
