#define T 16
__global__ void k(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float s[];
    float *now = s, *next = s + 2 * T * T;
    int tx = threadIdx.x, ty = threadIdx.y, me = ty * T + tx;
    int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    auto load = [&](float *to, int t) {
        to[me] = row < M && t + tx < K ? A[row * K + t + tx] : 0.0f;
        to[T * T + me] = col < N && t + ty < K ? B[(t + ty) * N + col] : 0.0f;
    };
    float sum = 0;
    load(now, 0);
    for (int t = 0; t < K; t += T) {
        __syncthreads();
        if (t + T < K) load(next, t + T);
        for (int q = 0; q < T; ++q) sum += now[ty * T + q] * now[T * T + q * T + tx];
        float *x = now; now = next; next = x;
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    k<<<dim3((N + T - 1) / T, (M + T - 1) / T), dim3(T, T), 4 * T * T * sizeof(float)>>>(A, B, C, M, N, K);
}
