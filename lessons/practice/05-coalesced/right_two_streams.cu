__global__ void naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    float s = 0;
    for (int k = 0; k < K; ++k) s += A[row * K + k] * B[k * N + col];
    C[row * N + col] = s;
}
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    cudaStream_t s[2];
    int half = M / 2;
    for (auto &x : s) cudaStreamCreate(&x);
    if (half) naive<<<dim3((N + 15) / 16, (half + 15) / 16), dim3(16, 16), 0, s[0]>>>(A, B, C, half, N, K);
    naive<<<dim3((N + 15) / 16, (M - half + 15) / 16), dim3(16, 16), 0, s[1]>>>(A + half * K, B, C + half * N, M - half, N, K);
    for (auto &x : s) { cudaStreamSynchronize(x); cudaStreamDestroy(x); }
}
