#define T 16
template <typename F> __device__ F get(const F *X, int r, int c, int R, int S) { return (r < R && c < S) ? X[r * S + c] : F{}; }
__global__ void k(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float S[2][2][T][T];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    int phases = (K + T - 1) / T;
    float sum = 0;
    S[0][0][ty][tx] = get(A, row, tx, M, K);
    S[0][1][ty][tx] = get(B, ty, col, K, N);
    __syncthreads();
    for (int p = 0; p < phases; ++p) {
        float a = 0, b = 0;
        bool more = p + 1 < phases;
        if (more) {
            a = get(A, row, (p + 1) * T + tx, M, K);
            b = get(B, (p + 1) * T + ty, col, K, N);
        }
        for (int q = 0; q < T; ++q) sum = fmaf(S[p % 2][0][ty][q], S[p % 2][1][q][tx], sum);
        if (more) {
            S[(p + 1) % 2][0][ty][tx] = a;
            S[(p + 1) % 2][1][ty][tx] = b;
        }
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    k<<<dim3((N + T - 1) / T, (M + T - 1) / T), dim3(T, T)>>>(A, B, C, M, N, K);
}
