__global__ void coalesced(const float *A, const float *B, float *C,
                          int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int left = blockIdx.x * 2 * blockDim.x + threadIdx.x;
    int right = left + blockDim.x;
    float sums[2] = {};

    if (row >= M)
        return;
    for (int k = 0; k < K; ++k) {
        float a = A[row * K + k];

        if (left < N)
            sums[0] += a * B[k * N + left];
        if (right < N)
            sums[1] += a * B[k * N + right];
    }
    if (left < N)
        C[row * N + left] = sums[0];
    if (right < N)
        C[row * N + right] = sums[1];
}

void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 block(32, 8);
    dim3 grid((N + 63) / 64, (M + 7) / 8);

    coalesced<<<grid, block>>>(A, B, C, M, N, K);
}
