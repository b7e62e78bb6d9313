__global__ void naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * 16 + threadIdx.y;
    for (int col = 2 * (blockIdx.x * 16 + threadIdx.x), e = col + 2; row < M && col < e && col < N; col++) {
        float s = 0;
        for (int k = 0; k < K; k++) s += A[row * K + k] * B[k * N + col];
        C[row * N + col] = s;
    }
}
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    naive<<<dim3((N + 31) / 32, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
}
