__global__ void naive(const float *A, const float *B, float *C,
                      int M, int N, int K)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int row = i / N;
    int col = i % N;

    if (row < M) {
        float sum = 0.0f;

        for (int k = 0; k < K; ++k)
            sum += A[row * K + k] * B[k * N + col];
        C[i] = sum;
    }
}

void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    naive<<<(M * N + 255) / 256, 256>>>(A, B, C, M, N, K);
}
