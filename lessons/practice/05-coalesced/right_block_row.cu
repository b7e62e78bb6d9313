__global__ void coalesced(const float *A, const float *B, float *C,
                          int M, int N, int K)
{
    int row = blockIdx.x;

    for (int col = threadIdx.x; col < N; col += blockDim.x) {
        float sum = 0.0f;

        for (int k = 0; k < K; ++k)
            sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    coalesced<<<M, 32>>>(A, B, C, M, N, K);
}
