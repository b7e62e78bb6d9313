__global__ void naive(const float *A, const float *B, float *C,
                      int M, int N, int K)
{
    for (int row = 0; row < M; ++row)
        for (int col = 0; col < N; ++col) {
            float sum = 0.0f;

            for (int k = 0; k < K; ++k)
                sum += A[row * K + k] * B[k * N + col];
            C[row * N + col] = sum;
        }
}

void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    naive<<<1, 1>>>(A, B, C, M, N, K);
}
